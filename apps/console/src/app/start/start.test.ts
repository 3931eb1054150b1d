import { expect, test } from 'vitest'
import type { Profile } from '../../kit/session/types.ts'
import { organizations as known } from '../../testing/fixture-server.ts'
import {
  chooseOrganization,
  organizationsOf,
  requestOrganizationId,
  wantedOrganizationId,
} from './organizations.ts'
import { fallbackView, mayEnter, startView, viewOfPath } from './views.ts'

const { root, standard, plant } = known
const system = { ...plant, id: '00000000-0000-0000-0000-000000000004', name: 'SYSTEM' }

function person(given: Partial<Profile>): Profile {
  const nothing = { perms: [], console_orgs: [], audit_orgs: [], workbench_orgs: [] }
  return { ...nothing, ...given } as unknown as Profile
}

const auditor = person({ audit_orgs: [plant] })

test('the view of an address is its first part', () => {
  expect(viewOfPath('/audit/sessions/sessions?x=1')).toBe('audit')
  expect(viewOfPath('/')).toBeUndefined()
  expect(viewOfPath('/auditor')).toBeUndefined()
})

test('console and audit are for people with organizations there, settings and tickets for those with the right', () => {
  expect(mayEnter('console', auditor)).toBe(false)
  expect(mayEnter('audit', auditor)).toBe(true)
  expect(mayEnter('workbench', auditor)).toBe(true)
  expect(mayEnter('settings', auditor)).toBe(false)
  expect(mayEnter('tickets', person({ perms: ['tickets.view_ticket'] }))).toBe(true)
})

test('a forbidden view leads to the last used one, or the first allowed', () => {
  expect(fallbackView(auditor, 'workbench')).toBe('workbench')
  expect(fallbackView(auditor, 'console')).toBe('audit')
  expect(fallbackView(person({}), undefined)).toBe('workbench')
})

test('the start is the last used view, else the workbench', () => {
  expect(startView(auditor, 'audit')).toBe('audit')
  expect(startView(auditor, 'console')).toBe('workbench')
  expect(startView(auditor, undefined)).toBe('workbench')
})

test('a remembered organization is kept while it is offered, else the default or the first real one comes', () => {
  expect(chooseOrganization([root, standard, plant], plant.id)).toBe(plant)
  expect(chooseOrganization([root, standard, plant], 'gone')).toBe(standard)
  expect(chooseOrganization([root, plant], undefined)).toBe(plant)
  expect(chooseOrganization([], plant.id)).toBeUndefined()
})

test('without a licence nobody is kept in the organization used last, but an address may name one', () => {
  const enter = (isLicensed: boolean, named: string | null) =>
    chooseOrganization([root, standard, plant], wantedOrganizationId({ named, used: plant.id, isLicensed }))
  expect(enter(true, null)).toBe(plant)
  expect(enter(false, null)).toBe(standard)
  expect(enter(false, plant.id)).toBe(plant)
})

test('the system organization is never offered', () => {
  expect(organizationsOf(person({ console_orgs: [root, system, plant] }), 'console')).toEqual([root, plant])
})

test('without the extended edition the default organization stands in for the system one, and for no other', () => {
  expect(requestOrganizationId(system.id, false)).toBe(standard.id)
  expect(requestOrganizationId(system.id, true)).toBe(system.id)
  expect(requestOrganizationId(plant.id, false)).toBe(plant.id)
  expect(requestOrganizationId(root.id, false)).toBe(root.id)
  expect(requestOrganizationId(undefined, false)).toBeUndefined()
})
