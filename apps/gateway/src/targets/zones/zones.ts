import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Grant, ZoneGateway } from '@sallyport/contract/gateway/grants'
import type { HostKeyTarget } from '@sallyport/contract/gateway/host-keys'
import { ChannelError } from '@sallyport/ssh'
import type { Log } from '../../log.ts'
import { type Dialer, direct, straightWithin } from '../dialer.ts'
import { TargetError } from '../ssh/errors.ts'
import { hostKeyRefused, type HostKeys, isAccepted, toldForMs } from '../ssh/host-keys.ts'
import { logIn, placeOf, sshTargetOf } from '../ssh/login.ts'
import {
  allFailed,
  gatewayLost,
  noWayOn,
  UnusableGatewayError,
  withoutAccount,
  withoutGateway,
} from './errors.ts'
import { Hop, type HopOptions } from './hop.ts'

export interface ZoneLimits {
  /** How long a gateway may take to be there, to sign us in, and to lead on. */
  dialMs: number
  loginMs: number
  channelMs: number
  keepaliveMs: number
  /** Sessions on one connection; the next one gets another. */
  maxChannels: number
  idleMs: number
  /** So long the server is not asked again whether the host key of one that is signed in to is still accepted. */
  acceptedForMs: number
  /** So long a gateway that failed is tried behind the others. */
  rememberMs: number
}

const defaults: ZoneLimits = {
  dialMs: 5000,
  loginMs: 8000,
  channelMs: 10_000,
  // A gateway that freezes takes its sessions along: they are told within a quarter of a minute, and whoever signs in to a target meanwhile gets
  // another way before that login is over.
  keepaliveMs: 2500,
  maxChannels: 64,
  idleMs: 30_000,
  acceptedForMs: toldForMs,
  rememberMs: 60_000,
}

/** Where to, and from whose grant. */
interface Journey {
  domain: NonNullable<Grant['domain']>
  gateways: readonly ZoneGateway[]
  /** Why those were given up that were tried before, by their ids. */
  passed: Map<string, TargetError>
  address: string
  port: number
  signal: AbortSignal | undefined
}

/**
 * The ways into network zones: through a machine that stands at the border of the zone, by SSH (RFC 4254, 7.2). Each is signed in to with its
 * own account and checked by its own host key, and vouches for nobody behind it. Nothing of a person goes along: no agent, no variables.
 */
export class Zones {
  readonly #hostKeys: HostKeys
  readonly #log: Pick<Log, 'warn'>
  readonly #limits: ZoneLimits
  /** By what they lead to, and as whom. */
  readonly #hops = new Map<string, Set<Hop>>()
  /** When a gateway failed last, by its id and `performance.now`. */
  readonly #failures = new Map<string, number>()

  constructor(hostKeys: HostKeys, log: Pick<Log, 'warn'>, limits: Partial<ZoneLimits> = {}) {
    this.#hostKeys = hostKeys
    this.#log = log
    this.#limits = { ...defaults, ...limits }
  }

  /** The way a grant says: through the gateways of its zone, or straight where it names none. `who` it is for goes as in `straightWithin`. */
  dialerOf({ domain, gateways }: Pick<Grant, 'domain' | 'gateways'>, who: string): Dialer {
    if (domain === null) return direct(who)
    const passed = new Map<string, TargetError>()
    let last: ZoneGateway | undefined
    return {
      dial: async (address, port, signal) => {
        last = undefined
        const way = await this.#dial({ domain, gateways, passed, address, port, signal })
        last = way.gateway
        return way.stream
      },
      passOver: (why) => {
        if (!last || gateways.length === 1) return false
        this.#pass(last, domain, passed, why)
        return true
      },
    }
  }

  /** Connections that are open, or being opened, to gateways. */
  get connections(): number {
    return [...this.#hops.values()].reduce((sum, hops) => sum + hops.size, 0)
  }

  /** Ends the connections to a gateway that has shown a host key which was refused since. */
  refuseHostKey(gateway: string, fingerprint: string): void {
    for (const hop of [...this.#hops.values()].flatMap((hops) => [...hops]))
      if (hop.gateway === gateway) hop.refuse(fingerprint)
  }

  stop(): void {
    for (const hops of this.#hops.values()) for (const hop of hops) hop.end()
  }

  /** Tries one after the other until one leads there. */
  async #dial(journey: Journey): Promise<{ gateway: ZoneGateway; stream: Duplex }> {
    const { domain, passed, signal } = journey
    const where = placeOf(journey)
    if (journey.gateways.length === 0) throw withoutGateway(domain.name, where)
    for (const gateway of this.#inTurn(journey.gateways.filter(({ id }) => !passed.has(id)))) {
      try {
        return { gateway, stream: await this.#through(gateway, journey) }
      } catch (error) {
        // What is no gateway's fault, the server that is away for one, is the next one's as well.
        if (signal?.aborted || !(error instanceof TargetError)) throw error
        this.#pass(gateway, domain, passed, error)
      }
    }
    throw allFailed(domain.name, where, [...passed.values()])
  }

  #pass(gateway: ZoneGateway, domain: Journey['domain'], passed: Journey['passed'], why: TargetError): void {
    this.#log.warn({ err: why, gateway: gateway.id, zone: domain.id }, 'a gateway of a zone led nowhere')
    passed.set(gateway.id, why)
  }

  /** In the order the server told; those that failed lately behind the others, the latest at the end. */
  #inTurn(gateways: readonly ZoneGateway[]): ZoneGateway[] {
    const now = performance.now()
    for (const [id, at] of this.#failures) if (now - at > this.#limits.rememberMs) this.#failures.delete(id)
    const failedAt = ({ id }: ZoneGateway) => this.#failures.get(id) ?? 0
    return gateways.toSorted((one, other) => failedAt(one) - failedAt(other))
  }

  async #through(gateway: ZoneGateway, journey: Journey): Promise<Duplex> {
    const { domain, address, port, signal } = journey
    const named = { gateway: gateway.name, zone: domain.name }
    if (!gateway.account) throw withoutAccount(named)
    const hop = this.#hopTo(gateway, gateway.account, domain.name)
    let mayLead: boolean
    try {
      mayLead = await hop.ready(signal)
    } catch (error) {
      if (signal?.aborted || !(error instanceof TargetError)) throw error
      this.#failures.set(gateway.id, performance.now())
      throw new UnusableGatewayError(named, error)
    }
    // What it shows now is looked at on another connection.
    if (!mayLead) return await this.#through(gateway, journey)
    try {
      return await hop.open(address, port, signal)
    } catch (error) {
      if (signal?.aborted) throw error
      // It said nothing: it may have frozen.
      if (!(error instanceof ChannelError) || !error.reason) this.#failures.set(gateway.id, performance.now())
      throw noWayOn(named, placeOf({ address, port }), error)
    }
  }

  /** One that is there already and has room, or another. */
  #hopTo(gateway: ZoneGateway, account: NonNullable<ZoneGateway['account']>, zone: string): Hop {
    const key = keyOf(gateway)
    const hops = this.#hops.get(key) ?? new Set<Hop>()
    this.#hops.set(key, hops)
    const known = [...hops].find(({ hasRoom }) => hasRoom)
    if (known) return known
    const { dialMs, loginMs: timeoutMs, channelMs, keepaliveMs, maxChannels, idleMs } = this.#limits
    const named = { gateway: gateway.name, zone }
    const target = sshTargetOf(gateway, account)
    const where = placeOf(target)
    const hop: Hop = new Hop({
      gateway: gateway.id,
      connect: (signal) =>
        logIn(target, {
          dialer: straightWithin(dialMs, gateway.id),
          hostKeys: this.#hostKeys,
          timeoutMs,
          channelMs,
          keepaliveMs,
          signal,
        }),
      mayShow: this.#mayShow({ asset: gateway.id, address: where }),
      refused: (fingerprint) => new UnusableGatewayError(named, hostKeyRefused(where, fingerprint)),
      lost: (cause) => {
        this.#failures.set(gateway.id, performance.now())
        return gatewayLost(named, cause)
      },
      onGone: () => {
        hops.delete(hop)
        if (hops.size === 0 && this.#hops.get(key) === hops) this.#hops.delete(key)
      },
      maxChannels,
      idleMs,
    })
    hops.add(hop)
    return hop
  }

  /** Whether a gateway may show a host key which was accepted a moment ago. */
  #mayShow(machine: HostKeyTarget): HopOptions['mayShow'] {
    let atMs = performance.now()
    return async (hostKey) => {
      if (performance.now() - atMs < this.#limits.acceptedForMs) return true
      const keys = await this.#hostKeys.acceptedHostKeys(machine)
      atMs = performance.now()
      return isAccepted(hostKey, keys)
    }
  }
}

/** Everything that decides where a connection leads, and as whom; hashed, for it holds secrets. */
function keyOf({ id, address, protocols, account }: ZoneGateway): string {
  return createHash('sha256')
    .update(JSON.stringify([id, address, protocols, account]))
    .digest('hex')
}
