import { once } from 'node:events'
import { frameType } from '@sallyport/contract/recording'
import { OpenSsh } from '@sallyport/ssh/testing/openssh'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TestBrowser } from '../../testing/browser.ts'
import { startTestBench, type TestBench } from '../../testing/gateway.ts'
import { TestGateway } from '../../testing/ssh-gateway.ts'
import { WebListener } from '../web/web.ts'

/** A target that asks for a code besides the password, and says back what it was told. */
let target: TestServer
let gateway: TestGateway
let ssh: OpenSsh
const heard: string[] = []
const direct = 'ann@op@127.0.0.1'
const login = { answers: ['correct horse'] }

beforeAll(async () => {
  target = await TestServer.start({ methods: () => ['keyboard-interactive'] })
  target.authenticate = async (request) => {
    if (request.method !== 'keyboard-interactive') return 'refused'
    const ask = async (prompt: string, echo: boolean) => {
      const [answer = ''] = await request.ask({
        name: '',
        instruction: 'Second step\nof two',
        questions: [{ prompt, echo }],
      })
      heard.push(answer)
      return answer
    }
    const isRight = (await ask('Password: ', false)) === 'stored secret'
    if (!isRight || (await ask('Your code: ', false)) !== 'hidden-99') return 'wrong'
    return (await ask('Your colour: ', true)) === 'blue' ? 'accepted' : 'wrong'
  }
  gateway = await TestGateway.start()
  ssh = new OpenSsh(gateway.port, gateway.folder)
  useTarget(gateway.server.hosts[0])
})
afterAll(async () => {
  await gateway.stop()
  await target.stop()
})
beforeEach(() => {
  heard.length = 0
})

function useTarget(host: TestBench['host'] | undefined): void {
  if (!host) throw new Error('no host')
  host.port = target.port
  for (const account of host.accounts) {
    Object.assign(account, { secret: 'stored secret', secret_type: 'password' })
  }
}

const lastSession = () => [...gateway.server.sessions.values()].at(-1)

test('in a terminal the person is asked before the session begins; what is not shown is not recorded', async () => {
  const terminal = await ssh.terminal(direct, ['-oNumberOfPasswordPrompts=1'], login.answers)
  const before = await terminal.until(/Your code: $/)
  expect(before).toContain(
    `127.0.0.1:${target.port} asks before it lets you in:\r\nSecond step\r\nof two\r\n`,
  )
  terminal.type('hidden-9x\u007f9\r')
  expect(await terminal.until(/Your colour: $/)).not.toContain('hidden')
  terminal.type('blue\rexit 7\r')
  expect(await terminal.ended).toBe(7)
  expect(heard).toEqual(['stored secret', 'hidden-99', 'blue'])
  const id = lastSession()?.id ?? ''
  await expect.poll(() => gateway.server.recordings.get(id)?.finished).toBeTruthy()
  const frames = await gateway.server.frames(id)
  const everything = Buffer.concat(frames.map(({ payload }) => payload)).toString()
  expect(everything).toContain('Your code: \r\n')
  expect(everything).toContain('Your colour: blue\r\n')
  expect(everything).not.toContain('hidden')
  const typed = frames.filter(({ type }) => type === frameType.input)
  expect(typed.every(({ payload }) => payload.length <= 4)).toBe(true)
})

test('Ctrl-C at a question goes back: to the menu, or out', async () => {
  const terminal = await ssh.terminal(direct, ['-oNumberOfPasswordPrompts=1'], login.answers)
  await terminal.until(/Your code: $/)
  terminal.type('\u0003')
  await terminal.until(/was not answered: Your code:/)
  expect(await terminal.ended).toBe(255)
  await expect.poll(lastSession).toMatchObject({ end_reason: 'target_failed' })
  const menu = await ssh.terminal('ann', ['-oNumberOfPasswordPrompts=1'], login.answers)
  await menu.until(/Opt> $/)
  menu.type('box\r')
  await menu.until(/Your code: $/)
  menu.type('\u0003')
  await menu.until(/(?:Opt|Host\])> $/)
  menu.type('box\r')
  await menu.until(/Your code: $/)
  menu.type('hidden-99\rblue\rexit\r')
  await menu.until(/(?:Opt|Host\])> $/)
  menu.type('q\r')
  await menu.ended
})

test('a wrong answer is said to be the reason; so is that nobody can be asked', async () => {
  const terminal = await ssh.terminal(direct, ['-oNumberOfPasswordPrompts=1'], login.answers)
  await terminal.until(/Your code: $/)
  terminal.type('nonsense\r')
  await terminal.until(/did not accept the answers to its questions/)
  await terminal.ended
  const ran = await ssh.run(direct, ['-oNumberOfPasswordPrompts=1', 'true'], login)
  expect(ran.code).toBe(255)
  expect(ran.stderr).toContain('asks a question nobody can answer here: Your code:')
  await expect.poll(() => lastSession()?.['end_detail']).toMatch(/here: Your code:/)
})

test('who leaves while the target asks leaves nothing behind', async () => {
  const terminal = await ssh.terminal(direct, ['-oNumberOfPasswordPrompts=1'], login.answers)
  await terminal.until(/Your code: $/)
  terminal.child.kill('SIGKILL')
  await expect.poll(lastSession).toMatchObject({ is_finished: true, end_reason: 'client_left' })
  await expect.poll(() => target.connections.length - target.ends.length).toBe(0)
})

test('in the browser the person is asked in the terminal', async () => {
  const bench = await startTestBench()
  useTarget(bench.host)
  const web = new WebListener(bench.gateway)
  const address = await web.start({ host: '127.0.0.1', port: 0 })
  const token = bench.server.createToken(bench.user, bench.host)
  const browser = new TestBrowser(address, bench.server.statement(bench.user, 'token', token.id))
  await browser.init()
  await expect.poll(() => browser.text).toMatch(/Your code: $/)
  browser.type('hidden-99\r')
  await expect.poll(() => browser.text).toMatch(/Your colour: $/)
  browser.type('blue\r')
  await browser.message('TERMINAL_SESSION')
  browser.type('echo "in as $((40+2))"\n')
  await expect.poll(() => browser.text).toContain('in as 42')
  browser.type('exit\n')
  await once(browser.socket, 'close')
  await web.stop()
  await bench.stop()
})
