import { createHash } from 'node:crypto'
import {
  acceptedHostKeysSchema,
  hostKeyVerdictSchema,
  ownHostKeysSchema,
  type HostKey,
  type HostKeyVerdict,
} from '@sallyport/contract/gateway/host-keys'
import { bodySchema } from '@sallyport/contract/resource/schema'
import { HostKey as Declared } from '@sallyport/contract/resources/host-keys'
import type { HostKeys } from '../targets/ssh/host-keys.ts'
import type { Reply } from './recordings.ts'

interface Shown extends HostKey {
  target: string
  state: HostKeyVerdict['state']
}

/** Host keys as the server keeps them. */
export class TestHostKeys {
  /** Everything machines showed, in order. */
  readonly shown: Shown[] = []
  /** The gateways' own, once one of them offered some. */
  kept: string[] | undefined

  /** As when an administrator accepts a changed key. */
  accept(fingerprint: string): void {
    const chosen = this.shown.find((key) => key.fingerprint === fingerprint)
    for (const key of this.shown) if (key.target === chosen?.target) key.state = 'refused'
    if (chosen) chosen.state = 'accepted'
  }

  /** As when an administrator refuses the accepted key of an asset; answers its fingerprint. */
  refuse(asset: string): string {
    const accepted = this.shown.find(({ target, state }) => target.startsWith(asset) && state === 'accepted')
    if (!accepted) throw new Error('none is accepted')
    accepted.state = 'refused'
    return accepted.fingerprint
  }

  accepted(query: URLSearchParams): Reply {
    return { status: 200, body: { keys: this.#keysOf(`${query.get('asset')} ${query.get('address')}`) } }
  }

  seen(body: unknown): Reply {
    const { asset, address, algorithm, key } = bodySchema(Declared.calls.seen.body).parse(body)
    const target = `${asset} ${address}`
    const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64')
    const fingerprint = `SHA256:${digest.replace(/=+$/, '')}`
    let known = this.shown.find((shown) => shown.target === target && shown.key === key)
    if (!known) {
      const state = this.shown.some((shown) => shown.target === target) ? 'pending' : 'accepted'
      known = { target, algorithm, key, fingerprint, state }
      this.shown.push(known)
    }
    return { status: 200, body: { state: known.state, keys: this.#keysOf(target) } }
  }

  own(body: unknown): Reply {
    this.kept ??= ownHostKeysSchema.parse(body).keys
    return { status: 200, body: { keys: this.kept } }
  }

  #keysOf(target: string): HostKey[] {
    return this.shown
      .filter((shown) => shown.target === target && shown.state === 'accepted')
      .map(({ algorithm, key, fingerprint }) => ({ algorithm, key, fingerprint }))
  }
}

/** As the server's answers are read. */
export const keptIn = (books: TestHostKeys): HostKeys => ({
  acceptedHostKeys: async (machine) =>
    acceptedHostKeysSchema.parse(books.accepted(new URLSearchParams(machine)).body).keys,
  reportHostKey: async (seen) => hostKeyVerdictSchema.parse(books.seen(seen).body),
})
