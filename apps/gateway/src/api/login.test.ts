import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBench, type TestBench } from '../testing/gateway.ts'
import { ApiLogin } from './login.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

test('who owes a second factor is let in by password and code, within one login', async () => {
  bench.server.signIn.mfaCode = '424242'
  const login = new ApiLogin(bench.gateway.api.transport, '192.0.2.1', 'en')
  const { username, password } = bench.user
  expect(await login.begin({ username, password: 'wrong' })).toMatchObject({ kind: 'refused' })
  expect(await login.begin({ username, password })).toEqual({ kind: 'mfa', choices: ['otp'] })
  await login.selectMfa('otp')
  expect(await login.answerMfa('otp', '000000')).toEqual({ message: 'Wrong code' })
  expect(await login.answerMfa('otp', '424242')).toBe(true)
  expect(await login.resume()).toMatchObject({ kind: 'granted', person: { username } })
  // Another login of the same person owes it again.
  const other = new ApiLogin(bench.gateway.api.transport, '192.0.2.1', 'en')
  expect(await other.begin({ username, password })).toMatchObject({ kind: 'mfa' })
})

test.each([
  ['of 300 characters', 'a'.repeat(300)],
  ['that is empty', ''],
])('a name %s, which nobody has, is refused like another', async (_what, username) => {
  const login = new ApiLogin(bench.gateway.api.transport, '192.0.2.1', 'en')
  expect(await login.begin({ username, password: 'x' })).toEqual({
    kind: 'refused',
    code: 'invalid',
    message: 'No such name',
  })
})
