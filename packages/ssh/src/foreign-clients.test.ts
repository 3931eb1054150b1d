import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { MethodName } from './auth/server-auth.ts'
import type { ServeOptions } from './server.ts'
import { quoted, runProgram } from './testing/run-program.ts'
import { dialLocally } from './testing/log-in.ts'
import { freePort } from './testing/sshd.ts'
import { TestServer } from './testing/test-server.ts'

/** Other people's clients against our server. */
interface ForeignClient {
  name: string
  /** Its words up to the command; `options` are those both know by the same name. */
  line(server: TestServer, options?: readonly string[]): string[]
  env: Record<string, string>
}

let folder: string
let dropbearKey: string
let puttyKey: string

const password = 'right'
const dropbear: ForeignClient = {
  name: 'Dropbear',
  line: ({ port }, options = []) => ['dbclient', '-y', '-y', ...options, '-p', `${port}`, 'ann@127.0.0.1'],
  env: { DROPBEAR_PASSWORD: password },
}
const putty: ForeignClient = {
  name: 'PuTTY',
  line: ({ port, hostKey }, options = []) => {
    const fingerprint = hostKey?.publicKey.fingerprint ?? ''
    const session = ['-batch', '-load', 'small', '-hostkey', fingerprint, '-pw', password]
    return ['plink', ...session, ...options, '-P', `${port}`, '-l', 'ann', '127.0.0.1']
  },
  env: {},
}
const clients = [dropbear, putty]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ssh-foreign-'))
  dropbearKey = join(folder, 'dropbear-key')
  puttyKey = join(folder, 'putty-key')
  await runProgram(['dropbearkey', '-t', 'ed25519', '-f', dropbearKey])
  const nothing = join(folder, 'nothing')
  await writeFile(nothing, '')
  await runProgram([
    'puttygen',
    '-q',
    '-t',
    'ed25519',
    '-O',
    'private',
    '-o',
    puttyKey,
    '--new-passphrase',
    nothing,
  ])
  await mkdir(join(folder, '.putty', 'sessions'), { recursive: true })
  // New keys behind so much, and no questions of an agent of the machine.
  await writeFile(join(folder, '.putty', 'sessions', 'small'), 'RekeyBytes=500K\nTryAgent=0\n')
  for (const client of clients) client.env['HOME'] = folder
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A server that takes a password, or what the test says, and is gone behind it. */
async function withServer(
  options: Partial<ServeOptions>,
  use: (server: TestServer) => Promise<void>,
  methods: MethodName[] = ['password'],
): Promise<void> {
  const server = await TestServer.start({ methods: () => methods, ...options })
  server.authenticate = (request) => {
    if (request.method !== 'password') return 'refused'
    return request.password === password ? 'accepted' : 'wrong'
  }
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

describe.each(clients)('$name', (client) => {
  const run = async (server: TestServer, command: string, input?: Buffer, options?: string[]) =>
    await runProgram([...client.line(server, options), command], { input, env: client.env })

  test('a password opens; output, errors and exit status come each on its own', async () => {
    await withServer({}, async (server) => {
      const ran = await run(server, 'echo out; echo err >&2; exit 42')
      expect(ran).toMatchObject({ code: 42, stdout: 'out\n' })
      expect(ran.stderr).toContain('err\n')
    })
  })

  test('a key opens', async () => {
    await withServer(
      {},
      async (server) => {
        const seen: string[] = []
        server.authenticate = (request) => {
          if (request.method !== 'publickey') return 'refused'
          seen.push(request.key.type)
          return 'accepted'
        }
        const key = client === dropbear ? dropbearKey : puttyKey
        expect(await run(server, 'exit 5', undefined, ['-i', key])).toMatchObject({ code: 5 })
        expect(seen).toContain('ssh-ed25519')
      },
      ['publickey'],
    )
  })

  test('questions are asked, and the answer opens', async () => {
    await withServer(
      {},
      async (server) => {
        server.authenticate = async (request) => {
          if (request.method !== 'keyboard-interactive') return 'refused'
          const questions = [{ prompt: 'Code: ', echo: false }]
          const [code] = await request.ask({ name: '', instruction: 'From your phone', questions })
          return code === password ? 'accepted' : 'wrong'
        }
        const words = [...client.line(server), 'exit 4']
        // Dropbear asks the terminal.
        const line =
          client === dropbear ? ['script', '-qefc', words.map(quoted).join(' '), '/dev/null'] : words
        expect(await runProgram(line, { input: `${password}\n`, env: client.env })).toMatchObject({ code: 4 })
      },
      ['keyboard-interactive'],
    )
  })

  test.each([
    ['', {}],
    [' while keys are changed, through a small window', { rekeyBytes: 700_000, windowBytes: 20_000 }],
  ])(
    '20 MB come back unharmed, and the exit status behind the end of the input%s',
    async (_name, options) => {
      await withServer(options, async (server) => {
        const input = randomBytes(20_000_000)
        const ran = await run(server, 'cat; echo end >&2; exit 3', input)
        expect([ran.code, digest(ran.bytes)], ran.stderr).toEqual([3, digest(input)])
        expect(ran.stderr).toContain('end\n')
      })
    },
  )

  test('an exit status that comes long behind the end of both ways arrives', async () => {
    await withServer({}, async (server) => {
      expect(await run(server, 'exec >&- 2>&-; sleep 0.3; exit 9')).toMatchObject({ code: 9 })
    })
  })

  test('a shell on a terminal', async () => {
    await withServer({}, async (server) => {
      const words = client.line(server, ['-t']).map(quoted).join(' ')
      const line = ['script', '-qefc', `stty cols 91 rows 33; ${words}`, '/dev/null']
      const ran = await runProgram(line, { input: 'stty size; exit 6\n', env: client.env })
      expect(ran).toMatchObject({ code: 6 })
      expect(ran.stdout).toContain('33 91')
      expect(server.sessions.at(-1)).toMatchObject({ terminal: { term: 'xterm', cols: 91 } })
    })
  })

  test('a dozen ways on at once, on one connection', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const target = (echo.address() as { port: number }).port
    await withServer({ rekeyBytes: 500_000 }, async (server) => {
      const port = await freePort()
      const [program = '', ...args] = client.line(server, [
        '-N',
        '-L',
        `127.0.0.1:${port}:127.0.0.1:${target}`,
      ])
      const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...client.env } })
      await vi.waitFor(async () => (await dialLocally(port)).destroy(), 20_000)
      const many = Array.from({ length: 12 }, async (_, index) => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
        const data = randomBytes(200_000 + index)
        socket.end(data)
        return (await buffer(socket)).equals(data)
      })
      expect(await Promise.all(many)).toEqual(many.map(() => true))
      child.kill()
      await once(child, 'exit')
      expect(server.connections).toHaveLength(1)
    })
    echo.close()
  })

  test('a command as long as the client bears', async () => {
    const length = client === dropbear ? 8000 : 100_000
    await withServer({}, async (server) => {
      const ran = await run(server, `echo ${'x'.repeat(length)} | wc -c`)
      expect(ran.stdout.trim(), ran.stderr).toBe(String(length + 1))
    })
  })
})
