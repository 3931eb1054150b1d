/** Guesses sent all at once: only as many are looked at as the settings allow, wherever a password is asked for. */
import { rootOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestAnswer, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
let addresses = 0
/** Tries count per address, so every test comes from its own. */
const stranger = () => system.client({ address: `10.2.0.${++addresses}` })

beforeAll(async () => {
  admin = await system.admin()
})

const limit = 7
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const count = (answers: readonly TestAnswer[], text: string) =>
  answers.filter(({ body }) => JSON.stringify(body).includes(text)).length

describe('passwords guessed at the same time', () => {
  test('are looked at up to the limit and no further, and the right one among them opens nothing', async () => {
    const person = await addPerson(system, admin)
    const client = stranger()
    await client.get('/core/auth/login/')
    const answers = await times(400, (index) =>
      client.post('/core/auth/login/', {
        username: person.username,
        password: index < 399 ? `guess-${index}` : person.password,
      }),
    )
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    const logs = await admin.get(`audits/login-logs/?username=${person.username}`, { org: rootOrgId })
    const reasons = logs.body.map((row) => String(row['reason']))
    expect(reasons).toHaveLength(400)
    expect(reasons.filter((reason) => reason === 'password_failed')).toHaveLength(limit)
    expect((await admin.get(`users/users/${person.id}/`)).body['login_blocked']).toBe(true)
  })

  test('count for programs, too', async () => {
    const person = await addPerson(system, admin)
    const client = stranger()
    const answers = await times(50, (index) =>
      client.post('authentication/auth/', { username: person.username, password: `guess-${index}` }),
    )
    expect(count(answers, 'password_failed')).toBe(limit - 1)
    expect(count(answers, 'block_login')).toBe(50 - limit + 1)
  })

  test('count on every node together', async () => {
    const person = await addPerson(system, admin)
    const other = await system.anotherNode()
    const client = stranger()
    const answers = await times(60, async (index) => {
      const guess = { username: person.username, password: `guess-${index}` }
      if (index % 2 === 0) return (await client.post('authentication/auth/', guess)).body['error']
      const answer = await other.inject({
        method: 'POST',
        url: '/api/v1/authentication/auth/',
        remoteAddress: `10.2.0.${addresses}`,
        payload: guess,
      })
      return answer.json<{ error: string }>().error
    })
    expect(answers.filter((error) => String(error) === 'password_failed').length).toBeLessThan(limit)
  })

  test('from one address count for all names together', async () => {
    const client = stranger()
    // All but twenty of the tries that one address has.
    await system.database.pool.query(
      `insert into login_counters (kind, subject, count, date_expired) values ('ip', $1, 99979, now() + interval '1 hour')`,
      [`10.2.0.${addresses}`],
    )
    const answers = await times(100, (index) =>
      client.post('authentication/auth/', { username: `nobody-${index}`, password: 'guess' }),
    )
    expect(count(answers, 'password_failed')).toBe(20)
    expect(count(answers, 'block_global_ip_login')).toBe(80)
    // What is refused for its address leaves no row for each name it invented.
    const { rows } = await system.database.pool.query(
      `select 1 from login_counters where kind = 'user_ip' and subject like 'nobody-%'`,
    )
    expect(rows).toHaveLength(20)
  })
})

test('somebody at another address does not wait behind a crowd that guesses from one', async () => {
  const person = await addPerson(system, admin)
  const crowd = stranger()
  let answered = 0
  const guesses = times(150, async (index) => {
    await crowd.post('authentication/auth/', { username: `crowd-${index}`, password: 'guess' })
    answered += 1
  })
  const { username, password } = person
  expect((await stranger().post('authentication/auth/', { username, password })).status).toBe(201)
  expect(answered).toBeLessThan(75)
  await guesses
})

test('somebody who signs in thirty times at once gets in thirty times', async () => {
  const person = await addPerson(system, admin)
  const client = stranger()
  const answers = await times(30, () =>
    client.post('authentication/auth/', { username: person.username, password: person.password }),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
})

test('a right password clears no failures of somebody whose name goes on after a space', async () => {
  const short = await addPerson(system, admin, { username: 'mary' })
  await addPerson(system, admin, { username: 'mary ann', email: 'maryann@example.com' })
  const client = stranger()
  const guess = () => client.post('authentication/auth/', { username: 'mary ann', password: 'wrong' })
  for (let round = 1; round < limit; round++) await guess()
  expect((await client.signIn(short.username, short.password)).status).toBe(200)
  expect((await guess()).body).toMatchObject({ error: 'block_login' })
})

describe('whoever found a signed-in browser', () => {
  test('guesses the old password seven times, not more', async () => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    const change = (old_password: string) =>
      client.put('users/profile/password/', {
        old_password,
        new_password: 'Entirely-new-1',
        new_password_again: 'Entirely-new-1',
      })
    const answers = await times(60, (index) => change(`guess-${index}`))
    expect(count(answers, 'The old password is wrong.')).toBe(limit)
    expect((await change(person.password)).status).toBe(400)
  })

  test.each([
    [
      'the question who one is',
      (client: TestClient, guess: string) =>
        client.post('authentication/confirm/', { confirm_type: 'password', secret_key: guess }),
    ],
    [
      'the old password',
      (client: TestClient, guess: string) =>
        client.put('users/profile/password/', {
          old_password: guess,
          new_password: 'Entirely-new-1',
          new_password_again: 'Entirely-new-1',
        }),
    ],
  ])('is seen guessing %s, and being blocked, in the login log', async (_what, guess) => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    for (let round = 0; round <= limit; round++)
      expect((await guess(client, `guess-${round}`)).status).toBe(400)
    const logs = await admin.get(`audits/login-logs/?username=${person.username}&status=false`, {
      org: rootOrgId,
    })
    const wrong = {
      reason: 'password_failed',
      backend: 'Confirm',
      backend_display: expect.stringMatching(/logged in/),
    }
    expect(logs.body.toReversed()).toMatchObject([
      ...Array.from({ length: limit }, () => wrong),
      { reason: 'block_login', backend: 'Confirm' },
    ])
  })

  test('guesses in the question who one is seven times, not more', async () => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    const confirm = (secret_key: string) =>
      client.post('authentication/confirm/', { confirm_type: 'password', secret_key })
    const answers = await times(60, (index) => confirm(`guess-${index}`))
    expect(count(answers, 'The password is not correct')).toBe(limit)
    expect((await confirm(person.password)).status).toBe(400)
  })
})
