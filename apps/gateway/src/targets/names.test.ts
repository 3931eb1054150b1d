import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Names } from './names.ts'

/** Names of which those that begin with `silent` are not answered until they are told to be. */
function testNames() {
  const asked: string[] = []
  const silent = new Map<string, () => void>()
  const names = new Names(async (name) => {
    asked.push(name)
    if (name.startsWith('silent')) await new Promise<void>((resolve) => silent.set(name, resolve))
    return [{ address: '127.0.0.1', family: 4 }]
  })
  const running = new AbortController()
  const find = (who: string, name: string, { signal } = running) =>
    new Promise((resolve, reject) => {
      names.lookupFor(who, signal)(name, { all: true }, (error, found) => {
        if (error) reject(error)
        else resolve(found)
      })
    })
  return { names, asked, find, answer: (name: string) => silent.get(name)?.() }
}

const found = [{ address: '127.0.0.1', family: 4 }]
const silentNames = Array.from({ length: 6 }, (_, number) => `silent-${number}`)

test('two connections to one name ask for it once, and the next one asks again', async () => {
  const { names, asked } = testNames()
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const reach = async (who: string) => {
    const lookup = names.lookupFor(who, new AbortController().signal)
    const socket = connect({ host: 'web.example', port, lookup })
    await once(socket, 'connect')
    socket.destroy()
  }
  await Promise.all([reach('ann'), reach('bob')])
  expect(asked).toEqual(['web.example'])
  await reach('ann')
  expect(asked).toEqual(['web.example', 'web.example'])
})

test('a person whose names are not answered has four lookups at once, and others are not kept waiting', async () => {
  const { asked, find, answer } = testNames()
  const all = silentNames.map((name) => find('ann', name))
  expect(await find('bob', 'web.example')).toEqual(found)
  expect(asked).toEqual([...silentNames.slice(0, 4), 'web.example'])
  answer('silent-2')
  expect(await all[2]).toEqual(found)
  await expect.poll(() => asked).toEqual([...silentNames.slice(0, 4), 'web.example', 'silent-4'])
})

test('what was given up while it waited is not asked for', async () => {
  const { asked, find, answer } = testNames()
  const givenUp = new AbortController()
  const begun = silentNames.slice(0, 4).map((name) => find('ann', name))
  const waiting = find('ann', 'silent-4', givenUp)
  givenUp.abort()
  answer('silent-0')
  await expect(waiting).rejects.toThrow()
  expect(await begun[0]).toEqual(found)
  expect(asked).toEqual(silentNames.slice(0, 4))
})
