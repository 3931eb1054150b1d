/** What asset login rules do with those who come by SSH: by name, by menu, with a command, with a connection token. */
import { pino } from 'pino'
import type { AuthMethod } from '@sallyport/ssh'
import { exec, logIn } from '@sallyport/ssh/testing/log-in'
import { OpenSsh } from '@sallyport/ssh/testing/openssh'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ServerDirectory } from './directory.ts'
import { loadHostKeys } from './listeners/ssh/host-keys.ts'
import { SshListener } from './listeners/ssh/listener.ts'
import { startTestBench, type TestBench } from './testing/gateway.ts'

let bench: TestBench
let listener: SshListener
let ssh: OpenSsh
let direct: string
const answers = ['pw-ann']
beforeAll(async () => {
  bench = await startTestBench()
  const { gateway, config, sshd } = bench
  const directory = new ServerDirectory(gateway)
  listener = await SshListener.start({
    host: '127.0.0.1',
    port: 0,
    directory,
    openSession: directory.openSession,
    protocols: ['ssh'],
    log: pino({ level: 'silent' }),
    failureDelayMs: 1,
  })
  listener.serve(await gateway.api.ownHostKeys(await loadHostKeys(config.folder)))
  ssh = new OpenSsh(listener.port, config.folder)
  direct = `ann@${sshd.username}@${sshd.host}`
})
afterAll(async () => {
  await listener.close()
  await bench.stop()
})
beforeEach(() => {
  bench.server.reviews.loginRule = undefined
  bench.server.reviews.tickets.length = 0
})

const ticket = () => bench.server.reviews.tickets.at(-1)

test('who is rejected is told so, with a command and in a terminal, and nothing is on the books', async () => {
  bench.server.reviews.loginRule = 'reject'
  const before = bench.server.sessions.size
  const ran = await ssh.run(direct, ['echo never'], { answers })
  expect(ran).toMatchObject({ code: 255, stdout: '' })
  expect(ran.stderr).toContain('A login rule rejects this connection')
  const terminal = await ssh.terminal(direct, [], answers)
  await terminal.until(/A login rule rejects this connection/)
  await terminal.ended
  expect(bench.server.sessions.size).toBe(before)
})

test('in a terminal one is asked, waits, is told who approved, and is let in', async () => {
  bench.server.reviews.loginRule = 'review'
  const terminal = await ssh.terminal(direct, [], answers)
  await terminal.until(/Connecting to host-1 as .* needs a review\. Ask and wait\?/)
  // In one piece: what follows has arrived before anybody can decide.
  terminal.type('ytyped meanwhile\r')
  await terminal.until(/waits for a review by Eve\(eve\)/)
  await terminal.until(/Ticket: https:\/\/bastion\.example/)
  expect(ticket()?.asked).toEqual({
    user_id: bench.user.id,
    asset_id: bench.host.id,
    account_username: bench.sshd.username,
  })
  bench.server.reviews.decide('approved')
  await terminal.until(/Eve\(eve\) approved/)
  await terminal.until(/\$ $/)
  expect(terminal.output).not.toContain('typed meanwhile')
  terminal.type('exit\r')
  expect(await terminal.ended).toBe(0)
})

test('who does not want to wait asks nobody; who gives up waiting closes the ticket', async () => {
  bench.server.reviews.loginRule = 'review'
  const unwilling = await ssh.terminal(direct, [], answers)
  await unwilling.until(/Ask and wait\?/)
  unwilling.type('n')
  await unwilling.until(/needs a review, which was given up/)
  await unwilling.ended
  expect(bench.server.reviews.tickets).toEqual([])
  const impatient = await ssh.terminal(direct, [], answers)
  await impatient.until(/Ask and wait\?/)
  impatient.type('y')
  await impatient.until(/waits for a review/)
  impatient.type('\x03')
  await impatient.until(/which was given up/)
  await impatient.ended
  expect(ticket()?.state).toBe('closed')
})

test('a command waits without a question; rejected it says by whom', async () => {
  bench.server.reviews.loginRule = 'review'
  const running = ssh.run(direct, ['echo in'], { answers })
  await expect.poll(() => ticket()?.state, { timeout: 10_000 }).toBe('pending')
  bench.server.reviews.decide('approved')
  expect(await running).toMatchObject({ code: 0, stdout: 'in\n' })
  const rejected = ssh.run(direct, ['echo never'], { answers })
  await expect.poll(() => ticket()?.state, { timeout: 10_000 }).toBe('pending')
  bench.server.reviews.decide('rejected')
  const ran = await rejected
  expect(ran).toMatchObject({ code: 255, stdout: '' })
  expect(ran.stderr).toContain('Eve(eve) rejected connecting to host-1')
})

test('who hangs up while it waits closes the ticket', async () => {
  bench.server.reviews.loginRule = 'review'
  const terminal = await ssh.terminal(direct, [], answers)
  await terminal.until(/Ask and wait\?/)
  terminal.type('y')
  await terminal.until(/waits for a review/)
  terminal.child.kill('SIGKILL')
  await expect.poll(() => ticket()?.state, { timeout: 10_000 }).toBe('closed')
})

test('a command that is sent a signal while its connection waits closes the ticket, and never runs', async () => {
  bench.server.reviews.loginRule = 'review'
  const methods: AuthMethod[] = [{ method: 'password', password: 'pw-ann' }]
  const client = await logIn({ port: listener.port, username: direct, methods })
  const session = await exec(client, 'echo never')
  await expect.poll(() => ticket()?.state).toBe('pending')
  session.signal('TERM')
  expect(await session.exited).toEqual({ kind: 'signal', name: 'TERM' })
  await expect.poll(() => ticket()?.state).toBe('closed')
  client.end()
})

test('from the menu one is asked as well, and comes back to it when one gives up', async () => {
  bench.server.reviews.loginRule = 'review'
  const terminal = await ssh.terminal('ann', [], answers)
  await terminal.until(/Opt> /)
  terminal.type('host-1\r')
  await terminal.until(/Ask and wait\?/)
  terminal.type('y')
  await terminal.until(/waits for a review/)
  terminal.type('\x03')
  await terminal.until(/given up[^]*> $/)
  terminal.type('host-1\r')
  await terminal.until(/Ask and wait\?/)
  terminal.type('y')
  await terminal.until(/waits for a review/)
  bench.server.reviews.decide('approved')
  await terminal.until(/\$ $/)
  terminal.type('exit\r')
  await terminal.until(/> $/)
  terminal.type('q\r')
  await terminal.ended
})

test('a connection token whose connection a rule rejects by now is told why, not that a password is wrong', async () => {
  const { server, user, host } = bench
  const token = server.createToken(user, host)
  server.reviews.loginRule = 'reject'
  const ran = await ssh.run(`JMS-${token.id}`, ['echo never'], { answers: [token.value] })
  expect(ran).toMatchObject({ code: 255, stdout: '' })
  expect(ran.stderr).toContain('A login rule rejects this connection')
})
