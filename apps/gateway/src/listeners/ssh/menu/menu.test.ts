import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OpenSsh, type TypedTerminal } from '@sallyport/ssh/testing/openssh'
import { TestGateway, testAsset } from '../../../testing/ssh-gateway.ts'
import type { TestSshd } from '@sallyport/ssh/testing/sshd'

let sshd: TestSshd
let gateway: TestGateway
let terminal: TypedTerminal

beforeAll(async () => {
  gateway = await TestGateway.start()
  sshd = gateway.sshd
  const [, base64 = ''] = (await readFile(`${sshd.privateKeyFile}.pub`, 'utf8')).split(' ')
  gateway.keys.add(base64)
  for (let number = 1; number <= 40; number++) {
    gateway.assets.push(
      testAsset(`web-${number}`, `10.0.0.${number}`, number % 2 ? 'node-a' : '数据库服务器'),
    )
  }
  gateway.nodes = [
    { id: 'node-a', key: '1:2', value: '财务部', assets_amount: 20 },
    { id: 'root', key: '1', value: 'Default', assets_amount: 41 },
  ]
})
afterAll(async () => {
  await gateway.stop()
})
beforeEach(async () => {
  gateway.requests.length = 0
  gateway.settings.page_size = 10
  gateway.settings.max_idle_minutes = 30
  gateway.accounts.set('box', [{ alias: 'op', name: 'op', username: 'op', has_secret: true }])
  terminal = await new OpenSsh(gateway.port, gateway.folder).terminal('ann', [`-i${sshd.privateKeyFile}`])
  await terminal.until(/Opt> /)
})

async function leave(): Promise<void> {
  terminal.type('q\r')
  await terminal.until(/Goodbye/)
  expect(await terminal.ended).toBe(0)
}

test('lists, pages, searches, refines and leaves', async () => {
  terminal.type('\r')
  expect(await terminal.until(/\[Host\]> /)).toMatch(/1 +\| box [^]*Page 1 of 5, 41 in all/)
  terminal.type('\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('Page 2 of 5')
  terminal.type('b\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('Page 1 of 5')
  terminal.type('b\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('This is the first page')
  terminal.type('/web-1\r')
  expect(await terminal.until(/\[Host\]> /)).toMatch(/web-11[^]*Page 1 of 2, 11 in all[^]*Search: web-1/)
  terminal.type('//node-a\r')
  expect(await terminal.until(/\[Host\]> /)).toMatch(/Page 1 of 1, 6 in all[^]*Search: web-1 node-a/)
  terminal.type('nothing like that\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('No asset found')
  terminal.type('d\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('No asset found')
  await leave()
})

test('the tree of nodes, and the assets of one', async () => {
  terminal.type('g\r')
  expect(await terminal.until(/Opt> /)).toMatch(/1\.Default\(41\)\r\n {2}2\.财务部\(20\)/)
  terminal.type('G2\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('20 in all')
  terminal.type('g7\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('There is no node 7')
  await leave()
})

test('a number connects, the session has the terminal, and the menu comes back after it', async () => {
  terminal.type('p\r')
  await terminal.until(/\[Host\]> /)
  terminal.type('1\r')
  terminal.type('echo on the $((3*4))th; exit 3\r')
  await terminal.until(/on the 12th/)
  await terminal.until(/\[Host\]> /)
  expect(gateway.requests).toMatchObject([{ account: 'op', protocol: 'ssh', asset: { name: 'box' } }])
  terminal.type('box\r')
  terminal.type('echo again $((3*5)); exit\r')
  await terminal.until(/again 15/)
  await terminal.until(/\[Host\]> /)
  await leave()
})

test('one of several accounts is chosen; a secret that is not stored is typed unseen', async () => {
  gateway.accounts.set('box', [
    { alias: 'op', name: 'op', username: 'op', has_secret: true },
    { alias: '@INPUT', name: 'Manual input', username: '@INPUT', has_secret: false },
  ])
  terminal.type('box\r')
  await terminal.until(/Manual input[^]*Account> /)
  terminal.type('9\r')
  await terminal.until(/not one of them[^]*Account> /)
  terminal.type('2\r')
  await terminal.until(/Username: /)
  terminal.type('root\r')
  await terminal.until(/Password of root: /)
  terminal.type('s3cret\r')
  terminal.type('echo in $((1+1)); exit\r')
  expect(await terminal.until(/in 2/)).not.toContain('s3cret')
  await terminal.until(/Opt> /)
  expect(gateway.requests).toMatchObject([
    { account: '@INPUT', input_username: 'root', input_secret: 's3cret' },
  ])
  terminal.type('box\r')
  await terminal.until(/Account> /)
  terminal.type('q\r')
  await terminal.until(/Opt> /)
  await leave()
})

test('the line can be edited: backspace over wide characters, ^U, ^W, ^C; keys that do nothing leave nothing', async () => {
  terminal.type('数据\u007f\u007f/zz\u0015/web-4 wrong\u0017\u001b[A\u001b[1;5C\r')
  expect(await terminal.until(/\[Host\]> /)).toContain('Search: web-4')
  terminal.type('half\u0003')
  await terminal.until(/\^C\r\n\[Host\]> /)
  terminal.type('\u00ff\u00fe')
  terminal.child.stdin?.write(Buffer.from([0xff, 0xfe, 0xc3]))
  terminal.type('\u0015\u0004')
  expect(await terminal.ended).toBe(0)
})

test('s goes through the languages, and the choice is remembered', async () => {
  terminal.type('s\r')
  await terminal.until(/语言:中文/)
  terminal.type('s\r')
  await terminal.until(/言語:日本語/)
  terminal.type('q\r')
  await terminal.ended
  const again = await new OpenSsh(gateway.port, gateway.folder).terminal('ann', [`-i${sshd.privateKeyFile}`])
  await again.until(/検索/)
  again.type('s\rq\r')
  await again.until(/Goodbye/)
  await again.ended
})

test('who does nothing is sent away', async () => {
  gateway.settings.max_idle_minutes = 0.005
  terminal.type('?\r')
  await terminal.until(/Nothing happened for/)
  expect(await terminal.ended).toBe(1)
})

test('a script goes through the menu, a session and the menu again', async () => {
  const input = 'box\necho in-$((1+1))\nexit\n'
  const ran = await new OpenSsh(gateway.port, gateway.folder).run(
    'ann',
    [`-i${sshd.privateKeyFile}`, '-tt'],
    {
      input,
    },
  )
  expect(ran.stdout).toMatch(/in-2\r\n[^]*Opt> /)
  expect(ran.code).toBe(0)
  await leave()
})
