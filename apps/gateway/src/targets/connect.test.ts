/** What a target is told of the account a grant names. */
import type { Grant } from '@sallyport/contract/gateway/grants'
import { afterAll, expect, test } from 'vitest'
import { keptIn, TestHostKeys } from '../testing/host-keys.ts'
import { startListener } from '../testing/listener.ts'
import { connectTarget, describeFailure } from './connect.ts'
import { direct } from './dialer.ts'

let connections = 0
const target = await startListener((socket) => {
  connections++
  socket.destroy()
})
afterAll(() => target.close())

const accountOf = (type: string) => ({
  id: 'a',
  name: 'robot',
  username: 'robot',
  secret_type: type,
  secret: 'sesame',
})
const grantOf = (account: object) =>
  ({
    protocol: 'ssh',
    account,
    asset: {
      id: 'a1a1a1a1-0000-4000-8000-000000000001',
      name: 'box',
      address: '127.0.0.1',
      protocols: [{ name: 'ssh', port: target.port }],
    },
    platform: { protocols: [], su_method: 'su' },
  }) as unknown as Grant
const failure = async (account: object) =>
  await connectTarget(grantOf(account), { dialer: direct('ann'), hostKeys: keptIn(new TestHostKeys()) }).then(
    () => 'connected',
    (error: unknown) => describeFailure(error, 'en'),
  )

test.each(['access_key', 'token', 'api_key'])(
  'a secret that is an %s is no password of SSH',
  async (type) => {
    const sentence = expect.stringContaining('neither a password nor an SSH key') as string
    expect(await failure({ ...accountOf(type), su_from: null })).toEqual(sentence)
    expect(await failure({ ...accountOf('password'), su_from: accountOf(type) })).toEqual(sentence)
    expect(connections).toBe(0)
  },
)

test('a password is tried', async () => {
  expect(await failure({ ...accountOf('password'), su_from: null })).not.toBe('connected')
  expect(connections).toBeGreaterThan(0)
})
