/** Groups of commands: what they match, and what is refused before anybody relies on it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
})

const path = 'acls/command-groups/'
let made = 0
const add = (fields: Record<string, unknown>) => admin.post(path, { name: `group ${++made}`, ...fields })
const patternOf = async (id: unknown) => {
  const { rows } = await system.database.pool.query<{ pattern: string }>(
    'select pattern from command_groups where id = $1',
    [id],
  )
  return rows[0]?.pattern
}

test('a group is on the wire as clients of the compatible system expect it', async () => {
  const answer = await add({ name: 'danger', content: 'rm\nreboot' })
  expect(answer).toMatchObject({
    status: 201,
    body: {
      name: 'danger',
      type: { value: 'command', label: 'Command' },
      content: 'rm\nreboot',
      ignore_case: true,
      comment: '',
      org_name: 'Default',
    },
  })
  expect((await admin.post(path, { name: 'danger', content: 'x' })).body).toEqual({
    name: ['This field must be unique.'],
  })
  expect((await admin.get(`${path}?name=danger`)).body).toHaveLength(1)
})

test('the pattern follows what is written, whichever half of it changes', async () => {
  const { body } = await add({ content: 'rm\nreboot' })
  const one = `${path}${String(body['id'])}/`
  expect(await patternOf(body['id'])).toBe(String.raw`\brm\b|\breboot\b`)
  expect((await admin.patch(one, { content: 'a|b' })).status).toBe(200)
  expect(await patternOf(body['id'])).toBe(String.raw`\ba\|b\b`)
  expect((await admin.patch(one, { type: 'regex' })).status).toBe(200)
  expect(await patternOf(body['id'])).toBe('a|b')
  expect((await admin.patch(one, { comment: 'x' })).status).toBe(200)
  expect((await admin.patch(one, { content: '(a' })).body).toEqual({
    content: ['This is no regular expression: what is opened at character 1 is not closed: (a'],
  })
})

test('ten thousand commands make a group, and one more does not', async () => {
  const commands = (count: number) => Array.from({ length: count }, (_, at) => `command-${at}`).join('\n')
  expect((await add({ content: commands(10_000) })).status).toBe(201)
  expect(await add({ content: commands(10_001) })).toMatchObject({
    status: 400,
    body: { content: ['At most 10000 commands, one per line; these are 10001.'] },
  })
  expect(await add({ content: 'x'.repeat(262_145) })).toMatchObject({ status: 400 })
  expect(await add({ content: ' \n ' })).toMatchObject({ status: 400 })
})

test('are refused where all of one call hold more than is taken, whichever of them it is', async () => {
  const content = 'x'.repeat(262_144)
  const groups = Array.from({ length: 33 }, (_none, at) => ({ name: `long ${at}`, content }))
  const detail = 'The groups hold more than 8388608 characters of commands. Send them in several parts.'
  expect(await admin.post(path, groups)).toMatchObject({ status: 413, body: { detail } })
})

describe('a regular expression', () => {
  test.each([
    ['rm(?=\\s)', 3, '(?='],
    ['rm(?!\\s)', 3, '(?!'],
    ['(?<=sudo )rm', 1, '(?<='],
    ['(rm)\\s\\1', 7, '\\1'],
  ])('%s asks for what cannot be matched in bounded time', async (content, at, what) => {
    const { status, body } = await add({ type: 'regex', content })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        content: [
          `${what} at character ${at} is not supported: lookaround and backreferences cannot be matched in bounded time.`,
        ],
      },
    })
  })

  const misplaced = 'what stands at character AT cannot be there'
  const unclosed = 'what is opened at character AT is not closed'
  test.each([
    ['rm (-r', unclosed, 4, '(-r'],
    ['rm)', misplaced, 3, ')'],
    ['r[m', unclosed, 2, '[m'],
    ['*rm', misplaced, 1, '*'],
    ['rm\\', misplaced, 3, '\\'],
    ['rm{2,1}', misplaced, 3, '{2,1}'],
  ])('%s is none, and the sentence says where and why', async (content, why, at, what) => {
    expect((await add({ type: 'regex', content })).body).toEqual({
      content: [`This is no regular expression: ${why.replace('AT', String(at))}: ${what}`],
    })
  })

  test.each([
    ['that explodes', '(((((a{1,20}){1,20}){1,20}){1,20}){1,20})'],
    ['that is slow on a long line', '(?:a|b|.){0,900}a.{0,900}Z'],
    ['that keeps many places of a line in mind', '(?:.{0,30}a){30}Z'],
    ['that is longer than a program may be', `(${'x'.repeat(1000)}){900}`],
    ['of two lines', 'rm\nreboot'],
    ['longer than any is', 'x'.repeat(16_385)],
  ])('%s is refused, soon', async (_what, content) => {
    const begun = performance.now()
    expect(await add({ type: 'regex', content })).toMatchObject({
      status: 400,
      body: { content: [expect.any(String)] },
    })
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  test('that lists a hundred commands is a good one', async () => {
    const words = Array.from({ length: 100 }, (_, at) => `word${at * 7919}`).join('|')
    expect((await add({ type: 'regex', content: `\\b(${words})\\b` })).status).toBe(201)
  })

  test('that would hold other engines up for years is a good one', async () => {
    expect((await add({ type: 'regex', content: '(a+)+$' })).status).toBe(201)
  })
})

describe('what the filters of a connection hold together', () => {
  const huge = (mark: string) => Array.from({ length: 10_000 }, (_, at) => `${mark}-command-${at}`).join('\n')
  const filters = 'acls/command-filter-acls/'
  const named = (username: string, command_groups: unknown[]) =>
    admin.post(filters, {
      name: `filter ${++made}`,
      users: { username_group: [username] },
      assets: { name_group: ['*'], address_group: ['*'] },
      accounts: { username_group: ['*'] },
      action: 'reject',
      command_groups,
    })

  test('is refused where it is too much for one, by the field it was written in; what others hold counts for others', async () => {
    const bodies = Array.from({ length: 30 }, (_, at) => ({ name: `huge ${at}`, content: huge(`n${at}`) }))
    const groups = (await admin.post(path, bodies)).body.map(({ id }) => id)
    const told = (field: string) => ({
      status: 400,
      body: { [field]: [expect.stringMatching(/ are \d+ KiB, and at most 8192 KiB /)] },
    })
    expect(await named('ann', groups)).toMatchObject(told('command_groups'))
    expect((await named('ann', groups.slice(0, 20))).status).toBe(201)
    expect((await named('bob', groups.slice(0, 8))).status).toBe(201)
    const small = (await add({ content: 'rm' })).body['id']
    expect((await named('ann', [small])).status).toBe(201)
    expect(await named('*', groups.slice(8, 20))).toMatchObject(told('command_groups'))
    const more = await named('ann', groups.slice(20, 22))
    expect(more.status).toBe(201)
    const wide = { users: { username_group: ['ann', 'carl'] }, command_groups: groups.slice(8) }
    const changed = await admin.patch(filters, [{ id: more.body['id'], ...wide }])
    expect(changed).toMatchObject({ status: 400, body: [told('command_groups').body] })
    const longer = Array.from({ length: 9999 }, (_, at) => `a-much-longer-word-${at}`).join('\n')
    for (const [at, id] of groups.slice(0, 20).entries()) {
      const answer = await admin.patch(`${path}${String(id)}/`, { content: `${longer}\n${at}` })
      if (answer.status === 200) continue
      expect(answer).toMatchObject(told('content'))
      return
    }
    expect.unreachable('every group grew')
  })
})
