/** What the contract declares is served: clients are told of it, and nothing else would notice that it answers 404. */
import * as declared from '@sallyport/contract'
import { type Callable, modelOf } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { createDomains } from './domains.ts'
import { startTestSystem } from './testing.ts'

const system = await startTestSystem()

const isCallable = (value: unknown): value is Callable =>
  typeof value === 'object' && value !== null && 'model' in value && 'path' in value && 'calls' in value

test('every resource, singleton and set of calls that is declared is served by a domain', async () => {
  const { list } = await createDomains(system.ground)
  const served = new Set(
    list.flatMap(({ resources = [], singletons = [], services = [] }) => [
      ...[...resources, ...singletons].map(({ resource }) => modelOf(resource)),
      ...services.map(({ service }) => modelOf(service)),
    ]),
  )
  const all = (Object.values(declared) as unknown[]).filter((value) => isCallable(value))
  expect(all.map((of) => modelOf(of)).filter((model) => !served.has(model))).toEqual([])
})
