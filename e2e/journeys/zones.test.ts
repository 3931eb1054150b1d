/** A machine in a network of its own, which only the gateway of its domain reaches: server, gateway, the person's OpenSSH and their browser. */
import { startTestNetwork, type TestNetwork, whyNoNetwork } from '@sallyport/ssh/testing/network'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../src/processes.ts'
import { ssh } from '../src/ssh.ts'
import { startSystem, type System } from '../src/system.ts'
import { WebClient } from '../src/web-client.ts'
import { addAccount, addHost, addPerson, grant } from '../src/world.ts'

interface Named {
  id: string
  name: string
}

let network: TestNetwork | undefined
let border: TestSshd
let inner: TestSshd
let system: System

beforeAll(async () => {
  // Without namespaces both stand on this machine: then the border's own word says that it was gone through.
  if ((await whyNoNetwork()) === undefined) network = await startTestNetwork()
  inner = await startSshd([], network?.inner)
  border = await startSshd(['LogLevel DEBUG1', `PermitOpen ${inner.host}:${inner.port}`], network?.borders[0])
  system = await startSystem()
})
afterAll(async () => {
  await system?.stop()
  await border?.stop()
  await inner?.stop()
  await network?.stop()
})

it('is worked on through the gateway of its domain, which is known by its own host key; when it dies, the session says so', async () => {
  const { admin } = system
  const domain = await admin.post<Named>('/api/v1/assets/domains/', { name: 'Plant' })
  const gateway = await admin.post<Named>('/api/v1/assets/gateways/', {
    name: 'plant-border',
    address: border.host,
    platform: 11,
    domain: domain.id,
    protocols: [{ name: 'ssh', port: border.port }],
  })
  await addAccount(admin, gateway.id, { username: border.username, privateKey: border.privateKey })
  const host = await addHost(admin, { name: 'plant-1', address: inner.host, port: inner.port })
  const person = await addPerson(admin)
  await grant(admin, { users: [person.id], assets: [host.id] })
  await admin.patch(`/api/v1/assets/hosts/${host.id}/`, { domain: domain.id })
  await addAccount(admin, host.id, { username: inner.username, privateKey: inner.privateKey })

  const login = {
    port: system.sshPort,
    login: `${person.username}@${inner.username}@${inner.host}`,
    password: person.password,
  }
  const ran = await ssh(login, 'echo out; exit 7')
  expect({ ...ran, stdout: ran.stdout.toString() }).toEqual({ code: 7, stdout: 'out\n', stderr: '' })
  expect(border.log()).toContain('ctype direct-tcpip')
  const keys = await admin.get<{ asset: Named; algorithm: string; key: string }[]>(
    '/api/v1/terminal/host-keys/',
  )
  const keyOf = ({ id }: Named) => {
    const found = keys.find(({ asset }) => asset.id === id)
    return `${found?.algorithm} ${found?.key}`
  }
  expect([keyOf(gateway), keyOf(host)]).toEqual([border.hostKey, inner.hostKey])

  const browser = await WebClient.signIn(system.origin, person.username, person.password)
  const made = await browser.send('POST', '/api/v1/authentication/connection-token/', {
    asset: host.id,
    account: inner.username,
    protocol: 'ssh',
    connect_method: 'web_cli',
  })
  const tab = browser.open(`token=${(made.json as Named).id}`)
  const told = JSON.parse((await tab.find('TERMINAL_SESSION')).data) as { session: { id: string } }
  tab.type('echo here-$((40+2))\r')
  await tab.shows('here-42')
  await border.stop()
  const sentence = 'The connection to the gateway plant-border of the domain Plant broke'
  expect(JSON.parse((await tab.find('TERMINAL_END')).data)).toMatchObject({
    reason: 'target_lost',
    message: expect.stringContaining(sentence) as string,
  })
  const session = await eventually('the end on the books', async () => {
    const row = await admin.get<{ is_finished: boolean; end_detail: string; has_replay: boolean }>(
      `/api/v1/terminal/sessions/${told.session.id}/`,
    )
    return row.is_finished && row.has_replay ? row : undefined
  })
  expect(session.end_detail).toBe(sentence)
  const again = await ssh(login, 'true')
  expect(again.code).not.toBe(0)
  expect(again.stderr).toContain('The gateway plant-border of the domain Plant cannot be used')
})
