import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Place } from './sshd.ts'

const run = promisify(execFile)
const ip = async (...args: string[]) => (await run('ip', args)).stdout

/**
 * Three machines as network namespaces: two at the border, which this machine reaches, and one that only those two do.
 *
 *     this machine ── border 0 ──┐
 *           └──────── border 1 ──┴── inner
 */
export interface TestNetwork {
  borders: readonly [Place, Place]
  inner: Place
  /** As when the cable of a border to this machine is pulled: what is open stays silent. */
  unplug(border: 0 | 1): Promise<void>
  stop(): Promise<void>
}

/** Why there can be no namespaces, or undefined: an ordinary user may not make them, and some containers not even as root. */
export async function whyNoNetwork(): Promise<string | undefined> {
  const name = `spzone-try-${process.pid}`
  try {
    await ip('netns', 'add', name)
    await ip('netns', 'del', name)
    return undefined
  } catch (error) {
    return `the system lets this account make no network namespaces: ${String(error).split('\n').at(-2)}`
  }
}

/** A block of addresses for tests between networks (RFC 2544) that nobody here uses. */
async function freeBlock(): Promise<(at: number) => string> {
  for (;;) {
    const block = randomInt(2 ** 17 / 32) * 32
    const address = (at: number) => `198.${18 + (block >> 16)}.${(block >> 8) & 255}.${(block & 255) + at}`
    if ((await ip('route', 'show', 'to', 'match', address(17))).includes(address(17))) continue
    if (!(await ip('address', 'show')).includes(`${address(1)}/`)) return address
  }
}

export async function startTestNetwork(): Promise<TestNetwork> {
  const tag = `spz${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`
  const names = { borders: [`${tag}-border0`, `${tag}-border1`], inner: `${tag}-inner` } as const
  const all = [...names.borders, names.inner]
  const address = await freeBlock()
  const innerAddress = address(17)
  const inside = (namespace: string, ...args: string[]) => ip('-n', namespace, ...args)
  const stop = async () => {
    for (const name of all) await ip('netns', 'del', name).catch(() => '')
    await ip('route', 'del', 'unreachable', `${innerAddress}/32`).catch(() => '')
  }
  try {
    for (const name of all) {
      await ip('netns', 'add', name)
      await inside(name, 'link', 'set', 'lo', 'up')
    }
    await inside(names.inner, 'address', 'add', `${innerAddress}/32`, 'dev', 'lo')
    // Nothing that is meant for it leaves this machine.
    await ip('route', 'add', 'unreachable', `${innerAddress}/32`)
    for (const [at, border] of names.borders.entries()) {
      const [outer, within] = [`${tag}o${at}`, `${tag}w${at}`]
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'outside', 'netns', border)
      await ip('address', 'add', `${address(at * 4 + 1)}/30`, 'dev', outer)
      await ip('link', 'set', outer, 'up')
      await inside(border, 'address', 'add', `${address(at * 4 + 2)}/30`, 'dev', 'outside')
      await inside(border, 'link', 'set', 'outside', 'up')
      await inside(
        border,
        'link',
        'add',
        within,
        'type',
        'veth',
        'peer',
        'name',
        within,
        'netns',
        names.inner,
      )
      await inside(border, 'address', 'add', `${address(at * 4 + 9)}/30`, 'dev', within)
      await inside(border, 'link', 'set', within, 'up')
      await inside(names.inner, 'address', 'add', `${address(at * 4 + 10)}/30`, 'dev', within)
      await inside(names.inner, 'link', 'set', within, 'up')
      await inside(border, 'route', 'add', `${innerAddress}/32`, 'via', address(at * 4 + 10))
    }
    const place = (at: 0 | 1): Place => ({ address: address(at * 4 + 2), namespace: names.borders[at] })
    return {
      borders: [place(0), place(1)],
      inner: { address: innerAddress, namespace: names.inner },
      unplug: async (border) => void (await ip('link', 'set', `${tag}o${border}`, 'down')),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
