import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuthRequest, Verdict } from './auth/server-auth.ts'
import { runProgram } from './testing/run-program.ts'
import { TestServer } from './testing/test-server.ts'
import { defaultAlgorithms } from './transport/algorithms.ts'

const python = '/usr/bin/python3'

async function judge(request: AuthRequest): Promise<Verdict> {
  if (request.method === 'password') return request.password === 'right' ? 'accepted' : 'wrong'
  if (request.method === 'publickey') return request.username === 'key' ? 'accepted' : 'refused'
  if (request.method !== 'keyboard-interactive') return 'refused'
  const [code] = await request.ask({
    name: '',
    instruction: '',
    questions: [{ prompt: 'Code: ', echo: false }],
  })
  return code === 'code' ? 'accepted' : 'wrong'
}

// AsyncSSH sends on while keys are changed.
test.for(['paramiko', 'asyncssh'])(
  "%s's client logs in by password, key and answers, runs commands, and has 20 MB back while both change keys",
  async (library, { skip }) => {
    const has = await runProgram([python, '-W', 'ignore', '-c', `import ${library}`]).catch(() => undefined)
    if (has?.code !== 0) skip(`python3-${library} is not installed`)
    const server = await TestServer.start({ rekeyBytes: 700_000 })
    server.authenticate = judge
    const script = join(import.meta.dirname, 'testing', `${library}-client.py`)
    const ran = await runProgram([python, '-W', 'ignore', script, String(server.port)])
    await server.stop()
    expect(ran.code, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout)).toEqual({
      questions: true,
      'password after a key': true,
      'ecdsa-sha2-nistp256': true,
      'ssh-rsa': true,
      'late exit': 9,
      'long command': 100_001,
      bulk: true,
      channels: 12,
    })
  },
)

test('libssh’s client logs in by every key exchange, password, key and answers, runs commands and a shell, and carries 5 MB each way while both change keys', async ({
  skip,
}) => {
  const load = 'import ctypes; ctypes.CDLL("libssh.so.4")'
  const has = await runProgram([python, '-c', load]).catch(() => undefined)
  if (has?.code !== 0) skip('libssh-4 is not installed')
  const server = await TestServer.start({ rekeyBytes: 700_000 })
  server.authenticate = judge
  const script = join(import.meta.dirname, 'testing/libssh-client.py')
  const ran = await runProgram([python, script, String(server.port), defaultAlgorithms.kex.join()])
  await server.stop()
  expect(ran.code, ran.stderr).toBe(0)
  expect(JSON.parse(ran.stdout)).toEqual({
    // Of a newer one more.
    'key exchanges': expect.arrayContaining(defaultAlgorithms.kex.slice(3)) as string[],
    questions: true,
    'password after a key': true,
    ed25519: true,
    ecdsa: true,
    rsa: true,
    'late exit': 9,
    shell: [true, 4],
    'bytes here': 5_000_000,
    'bytes there': 5_000_000,
  })
})
