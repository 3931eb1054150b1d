/** A browser terminal through the server's proxy, spoken to as the page does: cookies, form token, the terminal's own socket. */
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { eventually } from '../src/processes.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { WebClient } from '../src/web-client.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

let system: System
let sshd: TestSshd
let person: Person
let host: { id: string; name: string }

beforeAll(async () => {
  sshd = await startSshd()
  system = await startSystem()
  host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  person = await addPerson(system.admin)
  await grant(system.admin, { users: [person.id], assets: [host.id] })
})
afterAll(async () => {
  await system?.stop()
  await sshd?.stop()
})

it('opens, is watched by who may, outlives the server, comes back, and can be replayed', async () => {
  const browser = await WebClient.signIn(system.origin, person.username, person.password)
  const made = await browser.send('POST', '/api/v1/authentication/connection-token/', {
    asset: host.id,
    account: sshd.username,
    protocol: 'ssh',
    connect_method: 'web_cli',
  })
  expect(made).toMatchObject({ status: 201 })
  const tab = browser.open(`token=${(made.json as { id: string }).id}`)
  const told = JSON.parse((await tab.find('TERMINAL_SESSION')).data) as { session: { id: string } }
  const id = told.session.id
  tab.type('echo first-$((40+2))\r')
  await tab.shows('first-42')

  const admin = await WebClient.signIn(system.origin, 'admin', adminPassword)
  const watching = admin.open(`type=monitor&target_id=${id}`)
  await watching.shows('first-42')
  tab.type('echo second-$((40+2))\r')
  await watching.shows('second-42')
  // Whom one works with may not be watched back.
  const nosy = browser.open(`type=monitor&target_id=${id}`)
  await nosy.find('TERMINAL_END')

  const lost = once(tab.socket, 'close')
  await system.server.kill('SIGKILL')
  await lost
  await system.startServer()
  const again = await eventually(
    'the gateway reports to the server',
    async () => {
      const next = browser.open(`type=reattach&target_id=${id}`)
      // Until the gateway has reported, sockets are closed without a word of an end.
      const isOver = () => next.socket.readyState === next.socket.CLOSED
      await eventually('an answer', () => isOver() || next.messages.some(({ type }) => type !== 'CONNECT'))
      return isOver() || next.messages.some(({ type }) => type === 'TERMINAL_END') ? undefined : next
    },
    15_000,
  )
  await again.shows('second-42')
  again.type('exit\r')
  expect(JSON.parse((await again.find('TERMINAL_END')).data)).toMatchObject({ reason: 'target_closed' })

  await eventually('the recording is complete', async () => {
    const index = await admin.send('GET', `/api/v1/terminal/sessions/${id}/recording/`)
    return index.status === 200 && (index.json as { is_complete: boolean }).is_complete
  })
  const cast = await admin.send('GET', `/api/v1/terminal/sessions/${id}/replay/cast/`)
  expect(cast.bytes.toString()).toContain('second-42')
  expect(await browser.send('GET', `/api/v1/terminal/sessions/${id}/recording/`)).toMatchObject({
    status: 403,
  })
  const session = await admin.send('GET', `/api/v1/terminal/sessions/${id}/`)
  expect(session.json).toMatchObject({
    is_finished: true,
    has_replay: true,
    end_reason: { value: 'target_closed' },
  })
})
