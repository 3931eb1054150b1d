/**
 * `cat` of 200 MB of log text in a shell, recorded whole, against the same through OpenSSH ProxyJump in the same run; and how many bytes
 * the recording takes for each byte of output.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { gatewayFlags } from '../../scripts/lib/gateway-flags.mjs'
import { startProcessBench } from '../../apps/gateway/src/testing/process.ts'
import { sshOptions } from '@sallyport/ssh/testing/sshd'
import { below, median, versus, type Bench, type Figure } from './figure.ts'

const fileBytes = 200_000_000
const rounds = 3
const cipher = ['-c', 'aes128-gcm@openssh.com']

/** Lines as a system log has them: repetitive, with changing figures. */
async function writeLog(file: string): Promise<void> {
  const stream = createWriteStream(file, { mode: 0o644 })
  const programs = ['sshd', 'systemd', 'kernel', 'nginx', 'postgres', 'cron']
  let seed = 1
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let written = 0, second = 0; written < fileBytes; second++) {
    let block = ''
    for (let line = 0; line < 1000; line++) {
      const time = new Date(1_700_000_000_000 + second * 1000 + line).toISOString()
      const program = programs[random(programs.length)]
      block += `${time} host-${random(20)} ${program}[${random(30_000)}]: connection from 10.0.${random(256)}.${random(256)} port ${random(60_000)}: request ${random(1e9).toString(16)} took ${random(900)} ms\n`
    }
    written += block.length
    if (!stream.write(block)) await once(stream, 'drain')
  }
  stream.end()
  await finished(stream)
}

/** Seconds from the command to its last byte. */
async function timeCat(args: string[], file: string): Promise<number> {
  const child = spawn('ssh', [...sshOptions, ...cipher, '-tt', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let bytes = 0
  let begun = 0
  const ready = Promise.withResolvers<void>()
  child.stdout.on('data', (data: Buffer) => {
    bytes += data.byteLength
    ready.resolve()
  })
  await ready.promise
  await new Promise((resolve) => setTimeout(resolve, 300))
  begun = performance.now()
  child.stdin.write(`cat ${file}; exit\n`)
  await once(child, 'close')
  if (bytes < fileBytes) throw new Error(`only ${bytes} bytes arrived`)
  return (performance.now() - begun) / 1000
}

async function run(): Promise<Figure[]> {
  const bench = await startProcessBench()
  try {
    const file = join(bench.sshd.dir, 'log')
    await writeLog(file)
    const { sshd, server } = bench
    const target = ['-i', sshd.privateKeyFile, '-p', String(sshd.port), '-l', sshd.username]
    const jump = ['ssh', ...sshOptions, ...cipher, ...target, '-W', '%h:%p', sshd.host].join(' ')
    const gateway = bench.start({}, gatewayFlags)
    const { sshPort } = await gateway.ready()
    const login = `${bench.user.username}@${sshd.username}@${sshd.host}`
    const through = ['-i', sshd.privateKeyFile, '-p', String(sshPort), '-l', login, '127.0.0.1']
    const seconds = { jump: [] as number[], gateway: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      seconds.jump.push(await timeCat(['-o', `ProxyCommand=${jump}`, ...target, sshd.host], file))
      seconds.gateway.push(await timeCat(through, file))
    }
    const finishedOf = (id: string) => server.recordings.get(id)?.finished
    while ([...server.sessions.keys()].some((id) => !finishedOf(id))) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const recordedBytes = [...server.recordings.values()][0]?.finished?.bytes ?? Number.NaN
    const speed = (values: number[]) => fileBytes / 1e6 / median(values)
    return [
      versus(
        'shell cat of 200 MB, recorded',
        speed(seconds.gateway),
        speed(seconds.jump),
        'MB/s',
        'ProxyJump',
        0.9,
      ),
      below('recording bytes for each output byte', recordedBytes / fileBytes, 0.25, 'bytes'),
    ]
  } finally {
    await bench.stop()
  }
}

export default { name: 'ssh-shell', run } satisfies Bench
