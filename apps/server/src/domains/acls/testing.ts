/** What tests of rules about assets share: somebody granted accounts on an asset, and a gateway that connects them. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestAnswer, TestBody, TestClient, TestComponent, TestSystem } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'

export interface Ground {
  admin: TestClient
  gateway: TestComponent
  person: TestPerson
  here: TestClient
  assetId: string
  /** A rule, made by the administrator. */
  rule(kind: 'login-asset-acls' | 'command-filter-acls', fields?: Record<string, unknown>): Promise<string>
  /** As our own gateways begin a session. */
  begin(fields?: Record<string, unknown>): Promise<TestAnswer>
  /** As the browser asks for a connection token. */
  token(query?: string, fields?: Record<string, unknown>): Promise<TestAnswer>
  /** What a gateway gets for a token. */
  take(id: unknown): Promise<TestAnswer>
}

export const everything = {
  users: { username_group: ['*'] },
  assets: { name_group: ['*'], address_group: ['*'] },
  accounts: { username_group: ['*'] },
}

let made = 0

export async function layGround(system: TestSystem): Promise<Ground> {
  const admin = await system.admin()
  const gateway = await system.component(`gateway-${++made}`)
  const person = await addPerson(system, admin, { name: 'Ann' })
  const here = await person.signedIn()
  const created = async (path: string, body: unknown): Promise<TestBody> => {
    const answer = await admin.post(path, body)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
    return answer.body
  }
  const host = await created('assets/hosts/', {
    name: `web-${made}`,
    address: '192.0.2.10',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'Root-secret-1' }],
  })
  const assetId = String(host['id'])
  await created('perms/asset-permissions/', {
    name: `Ann on web-${made}`,
    users: [person.id],
    assets: [assetId],
    accounts: ['@ALL', '@INPUT'],
    actions: ['connect'],
  })
  const wanted = { asset: assetId, account: 'root', protocol: 'ssh' }
  return {
    admin,
    gateway,
    person,
    here,
    assetId,
    rule: async (kind, fields) =>
      String((await created(`acls/${kind}/`, { name: `rule ${++made}`, ...everything, ...fields }))['id']),
    begin: (fields) =>
      gateway.post('terminal/sessions/begin/', {
        id: randomUUID(),
        user: person.id,
        connect_method: 'ssh',
        type: 'normal',
        login_from: 'ST',
        remote_addr: '198.51.100.7',
        date_start: new Date().toISOString(),
        ...wanted,
        ...fields,
      }),
    token: (query = '', fields = {}) =>
      here.post(`authentication/connection-token/${query}`, {
        ...wanted,
        connect_method: 'web_cli',
        ...fields,
      }),
    take: (id) => gateway.post('authentication/super-connection-token/secret/', { id }),
  }
}
