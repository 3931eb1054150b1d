import { randomUUID } from 'node:crypto'
import { metadataOf } from '@sallyport/contract/resource/metadata'
import type { Resource } from '@sallyport/contract/resource/resource'
import type { Singleton } from '@sallyport/contract/resource/singleton'
import { isRecord } from '../kit/api/errors.ts'
import type { Row } from '../kit/api/resource.ts'
import type { Fixture, FixtureAnswer, FixtureRequest } from './fixture-server.ts'

/** The ids a selection token of the fixture stands for. */
const tokens = new Map<string, string[]>()

/** Serves rows as the documented list, with the contract's own metadata; writes change the rows. */
export function serveRows(fixture: Fixture, resource: Resource, rows: Row[]): void {
  const list = `/api/v1/${resource.path}/`
  const metadata = (on: 'list' | 'detail') => () => ({ body: metadataOf(resource, 'en', on) })
  fixture.answers.set(`OPTIONS ${list}`, metadata('list'))
  fixture.answers.set(`GET ${list}`, ({ query }) => ({ body: pageOf(rows, query) }))
  fixture.answers.set(`POST ${list}`, ({ body }) => {
    const problem = problemWith(body, rows)
    if (problem) {
      return problem
    }
    const row: Row = { ...(isRecord(body) ? body : {}), id: randomUUID() }
    rows.unshift(row)
    serveRow(row)
    return { status: 201, body: row }
  })
  fixture.answers.set(`PATCH ${list}`, ({ body }) => {
    const changes = Array.isArray(body) ? (body as Row[]) : []
    for (const change of changes) Object.assign(rows.find((row) => row.id === change.id) ?? {}, change)
    return { body: changes }
  })
  fixture.answers.set(`DELETE ${list}`, ({ query }) => {
    const gone = new Set(tokens.get(query.get('spm') ?? ''))
    rows.splice(0, rows.length, ...rows.filter((row) => !gone.has(String(row.id))))
    return { status: 204 }
  })
  fixture.answers.set('POST /api/v1/common/resources/cache/', ({ body }) => {
    const spm = randomUUID()
    const ids = isRecord(body) && Array.isArray(body['resources']) ? body['resources'].map(String) : []
    tokens.set(spm, ids)
    return { body: { spm } }
  })

  const serveRow = (row: Row) => {
    const own = `${list}${row.id}/`
    const current = () => rows.find((candidate) => candidate.id === row.id)
    const write = ({ body }: FixtureRequest): FixtureAnswer => {
      Object.assign(row, body)
      return { body: row }
    }
    fixture.answers.set(`OPTIONS ${own}`, metadata('detail'))
    fixture.answers.set(`GET ${own}`, () => (current() ? { body: current() } : { status: 404, body: {} }))
    fixture.answers.set(`PUT ${own}`, write)
    fixture.answers.set(`PUT ${own.slice(0, -1)}`, write)
    fixture.answers.set(`PATCH ${own}`, write)
    fixture.answers.set(`DELETE ${own}`, () => {
      rows.splice(rows.indexOf(row), 1)
      return { status: 204 }
    })
  }
  rows.forEach(serveRow)
}

function pageOf(rows: readonly Row[], query: URLSearchParams) {
  const order = query.get('order') ?? ''
  const key = order.replace('-', '')
  const words = (query.get('search') ?? '').split(',').filter(Boolean)
  const spm = query.get('spm')
  const found = rows
    .filter((row) => !spm || tokens.get(spm)?.includes(String(row.id)))
    .filter((row) => words.every((word) => JSON.stringify(row).toLowerCase().includes(word.toLowerCase())))
    .toSorted(
      (a, b) => (key ? String(a[key]).localeCompare(String(b[key])) : 0) * (order.startsWith('-') ? -1 : 1),
    )
  const offset = Number(query.get('offset') ?? 0)
  const limit = Number(query.get('limit') ?? found.length)
  return { count: found.length, next: null, previous: null, results: found.slice(offset, offset + limit) }
}

function problemWith(body: unknown, rows: readonly Row[]): FixtureAnswer | undefined {
  const name = isRecord(body) ? body['name'] : undefined
  return rows.some((row) => row['name'] === name)
    ? { status: 400, body: { name: ['This field must be unique.'] } }
    : undefined
}

/** Refuses a new row without what is required, as the server does. */
export function refuseIncomplete(fixture: Fixture, resource: Resource): void {
  const create = `POST /api/v1/${resource.path}/`
  const answer = fixture.answers.get(create)
  fixture.answers.set(create, (request) => {
    const sent = isRecord(request.body) ? request.body : {}
    const missing = Object.entries(resource.fields).filter(
      ([name, { options }]) => options.required && !(name in sent),
    )
    return missing.length === 0 && answer
      ? answer(request)
      : {
          status: 400,
          body: Object.fromEntries(missing.map(([name]) => [name, ['This field is required.']])),
        }
  })
}

/** The one row of a resource, with the contract's own metadata; what is sent changes it. */
export function serveOne(fixture: Fixture, resource: Singleton, row: object): void {
  const path = `/api/v1/${resource.path}/`
  fixture.answers.set(`OPTIONS ${path}`, () => ({ body: metadataOf(resource, 'en', 'detail') }))
  fixture.answers.set(`GET ${path}`, () => ({ body: row }))
  fixture.answers.set(`PATCH ${path}`, ({ body }) => ({ body: Object.assign(row, body) }))
}
