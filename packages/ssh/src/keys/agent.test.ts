import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { duplexPair, type Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keygen, signedData } from '../testing/keygen.ts'
import { Writer } from '../wire/writer.ts'
import { Agent } from './agent.ts'
import { Certificate } from './certificate.ts'
import { generateKey } from './generate.ts'

const timeoutMs = 20_000

describe("OpenSSH's agent", () => {
  const keygen = new Keygen()
  const path = keygen.path('agent')
  let program: ChildProcess
  let stream: Socket
  beforeAll(async () => {
    const started = spawn('ssh-agent', ['-D', '-a', path], { stdio: ['ignore', 'pipe', 'ignore'] })
    program = started
    await once(started.stdout, 'data')
    keygen.generate('ed25519', '-t', 'ed25519')
    keygen.generate('p384', '-t', 'ecdsa', '-b', '384')
    keygen.generate('rsa', '-t', 'rsa', '-b', '2048')
    keygen.run('-q', '-s', 'p384', '-I', 'id', '-n', 'ann', 'rsa.pub')
    for (const name of ['ed25519', 'p384', 'rsa'])
      execFileSync('ssh-add', ['-q', name], {
        cwd: keygen.folder,
        env: { ...process.env, SSH_AUTH_SOCK: path },
        stdio: 'pipe',
      })
    stream = connect(path)
  })
  afterAll(() => {
    stream.destroy()
    program.kill()
    keygen.dispose()
  })

  test('lists its keys and certificates, and signs with each of their algorithms', async () => {
    const keys = await new Agent(stream, { timeoutMs }).keys()
    expect(keys.map(({ publicKey, comment }) => [publicKey.type, comment])).toEqual([
      ['ssh-ed25519', 'comment of ed25519'],
      ['ecdsa-sha2-nistp384', 'comment of p384'],
      ['ssh-rsa', 'comment of rsa'],
      ['ssh-rsa-cert-v01@openssh.com', 'comment of rsa'],
    ])
    // Several at once are asked one after the other.
    await Promise.all(
      keys.flatMap((key) =>
        key.publicKey.algorithms.map(async (algorithm) => {
          const signature = await key.sign(algorithm, signedData(algorithm))
          expect(key.publicKey.verify(algorithm, signedData(algorithm), signature)).toBe(true)
          const { publicKey } = key
          const plain = publicKey instanceof Certificate ? publicKey.key : publicKey
          expect(keygen.verifies(plain.blob, algorithm, signature)).toBe(true)
        }),
      ),
    )
    const [ed25519, , rsa] = keys
    await expect(rsa?.sign('ssh-rsa', signedData('text'))).rejects.toMatchObject({ problem: 'unsupported' })
    execFileSync('ssh-add', ['-q', '-D'], { env: { ...process.env, SSH_AUTH_SOCK: path }, stdio: 'pipe' })
    await expect(ed25519?.sign('ssh-ed25519', signedData('text'))).rejects.toMatchObject({
      problem: 'unavailable',
      message: 'The agent refuses',
    })
  })
})

describe('an agent of another kind', () => {
  /** Answers each question with the next of these. */
  function answering(
    answers: Buffer[] = [],
    patienceMs = timeoutMs,
  ): { agent: Agent; side: Duplex; ours: Duplex } {
    const [ours, side] = duplexPair()
    side.on('data', () => {
      const answer = answers.shift()
      if (answer) side.write(answer)
    })
    return { agent: new Agent(ours, { timeoutMs: patienceMs }), side, ours }
  }
  const framed = (writer: Writer) => new Writer().string(writer.finish()).finish()
  const listOf = (...blobs: Buffer[]) => {
    const writer = new Writer().byte(12).uint32(blobs.length)
    for (const blob of blobs) writer.string(blob).string('comment')
    return framed(writer)
  }

  test('may have keys we do not know, and answer byte by byte', async () => {
    const { publicKey } = await generateKey('ssh-ed25519')
    const answer = listOf(new Writer().string('ssh-other').string('x').finish(), publicKey.blob)
    const { agent, side } = answering()
    const keys = agent.keys()
    for (const byte of answer) side.write(Buffer.from([byte]))
    expect((await keys).map((key) => key.publicKey.blob)).toEqual([publicKey.blob])
  })

  test('is done with when it does not answer, says too much, speaks unasked, or goes', async () => {
    const failures: [(side: Duplex) => void, string][] = [
      [() => {}, 'does not answer'],
      [(side) => side.write(Buffer.from([0, 0])), 'does not answer'],
      [(side) => side.write(Buffer.from([0, 4, 0, 1, 12])), 'says too much'],
      [(side) => side.write(Buffer.concat([listOf(), Buffer.from([0])])), 'says too much'],
      [(side) => side.end(), 'is gone'],
      [(side) => side.destroy(), 'is gone'],
    ]
    for (const [act, why] of failures) {
      const { agent, side, ours } = answering([], why === 'does not answer' ? 200 : timeoutMs)
      const [first, second] = [agent.keys(), agent.keys()]
      side.once('data', () => act(side))
      await expect(first).rejects.toMatchObject({ problem: 'unavailable', message: `The agent ${why}` })
      await expect(second).rejects.toMatchObject({ problem: 'unavailable', message: `The agent ${why}` })
      expect(ours.destroyed).toBe(true)
    }
    const { agent, side, ours } = answering()
    side.write(listOf())
    await expect.poll(() => ours.destroyed).toBe(true)
    await expect(agent.keys()).rejects.toMatchObject({ message: 'The agent speaks without being asked' })
  })

  test('that answers what is not allowed is refused, and may be asked again', async () => {
    const { publicKey } = await generateKey('ssh-ed25519')
    const cut = new Writer().byte(12).uint32(1).string(publicKey.blob)
    const { agent } = answering([
      framed(new Writer().byte(5)),
      framed(new Writer()),
      framed(cut),
      framed(new Writer().byte(12).uint32(0xffffffff)),
      framed(new Writer().byte(12).uint32(0).byte(0)),
      listOf(publicKey.blob),
      framed(new Writer().byte(14).string(new Writer().string('ssh-rsa').string('x').finish())),
    ])
    const problems = ['unavailable', 'malformed', 'malformed', 'unavailable', 'malformed']
    for (const problem of problems) await expect(agent.keys()).rejects.toMatchObject({ problem })
    const [key] = await agent.keys()
    await expect(key?.sign('ssh-ed25519', Buffer.from('data'))).rejects.toMatchObject({
      problem: 'unsupported',
    })
  })
})
