import type { Language } from '@sallyport/contract/messages/language'
import { pino } from 'pino'
import { loadHostKeys } from '../listeners/ssh/host-keys.ts'
import { SshListener, type SshListenerOptions } from '../listeners/ssh/listener.ts'
import type {
  Credentials,
  Directory,
  GrantedAccount,
  GrantedAsset,
  GrantedNode,
  ListenerSettings,
  Login,
  LoginStep,
  OpenSession,
  Person,
  SessionRequest,
} from '../listeners/ssh/services.ts'
import { startTestBench, type TestBench } from './gateway.ts'
import type { TestServer } from './server.ts'
import type { TestSshd } from '@sallyport/ssh/testing/sshd'

export const ann: Person = { id: 'ann-id', username: 'ann', name: 'Ann Lee' }

/**
 * The real SSH listener, sessions and target in front of a real sshd, with logins and lists kept in memory: `ann` may use the sshd as
 * asset `box`. Rights, settings and the steps of a login can be changed while it runs.
 */
export class TestGateway {
  readonly assets: GrantedAsset[]
  readonly accounts = new Map<string, GrantedAccount[]>()
  nodes: GrantedNode[] = []
  password = 'correct horse'
  /** Base64 of public keys in wire form. */
  readonly keys = new Set<string>()
  /** What is owed after a right password. */
  readonly steps: LoginStep[] = []
  mfaCode = '123456'
  settings: ListenerSettings = {
    password_auth: true,
    public_key_auth: true,
    header_title: '',
    order: 'name',
    page_size: 'auto',
    max_idle_minutes: 30,
    max_sessions: 50,
  }
  readonly requests: SessionRequest[] = []
  readonly tokens = new Map<string, { value: string; person: Person }>()
  readonly #bench: TestBench
  #listener: SshListener | undefined

  private constructor(bench: TestBench) {
    this.#bench = bench
    this.assets = [testAsset('box', bench.sshd.host, 'the only real one')]
    this.accounts.set('box', [{ alias: 'op', name: 'op', username: 'op', has_secret: true }])
  }

  static async start(options: Partial<SshListenerOptions> = {}): Promise<TestGateway> {
    const gateway = new TestGateway(await startTestBench())
    const { api } = gateway.#bench.gateway
    gateway.#listener = await SshListener.start({
      host: '127.0.0.1',
      port: 0,
      directory: gateway.#directory(),
      openSession: gateway.#open,
      protocols: ['ssh'],
      log: pino({ level: 'silent' }),
      failureDelayMs: 1,
      ...options,
    })
    gateway.#listener.serve(await api.ownHostKeys(await loadHostKeys(gateway.folder)))
    return gateway
  }

  get port(): number {
    return this.#listener?.port ?? 0
  }

  /** Where the gateway keeps its keys. */
  get folder(): string {
    return this.#bench.config.folder
  }

  get sshd(): TestSshd {
    return this.#bench.sshd
  }

  /** Where sessions and recordings are told to. */
  get server(): TestServer {
    return this.#bench.server
  }

  /** The server's: moves on with each sign-in and each end of sign-ins. */
  clockMs = 0

  /** What others say to a login that needs a confirmation. */
  confirmed: 'approved' | 'waiting' | 'refused' = 'approved'
  /** How often a login that waits for one was given up. */
  abandoned = 0

  /** As when this person's sign-ins were ended at that moment, and the gateway hears of it now. */
  disconnect({ id }: Person, atMs = this.clockMs++): void {
    this.#listener?.disconnect(id, atMs)
  }

  async stop(): Promise<void> {
    await this.#listener?.close()
    await this.#bench.stop()
  }

  #directory(): Directory {
    return {
      login: (_address, language) => this.#login(language),
      settings: () => this.settings,
      accounts: async (_person, id) => this.accounts.get(id) ?? [],
      nodes: async () => this.nodes,
      assets: async (_person, { limit, offset, search = [], category, node_id }) => {
        const hits = this.assets.filter(
          (asset) =>
            search.every((term) => `${asset.name} ${asset.address} ${asset.comment}`.includes(term)) &&
            category !== 'database' &&
            (node_id === undefined || asset.comment.includes(node_id)),
        )
        return { count: hits.length, results: hits.slice(offset, offset + limit) }
      },
      direct: async (_person, { address, protocol }) => {
        const usable = this.assets.filter(
          (asset) => asset.is_active && asset.protocols.some(({ name }) => name === protocol),
        )
        const byAddress = usable.filter((asset) => asset.address === address)
        const found = byAddress.length > 0 ? byAddress : usable.filter(({ name }) => name === address)
        const accounts = found.length === 1 ? this.accounts.get(found[0]?.id ?? '') : undefined
        return { assets: found, accounts: accounts ?? [] }
      },
      tokenOwner: async (id) => this.tokens.get(id)?.person.username,
      redeemToken: async (id, _language, value) => {
        const token = this.tokens.get(id)
        if (!token || (value !== undefined && value !== token.value)) return undefined
        this.tokens.delete(id)
        return { id, protocol: 'ssh', person: token.person }
      },
    }
  }

  #login(language: Language): Login {
    const owed = [...this.steps]
    const signedInMs = this.clockMs++
    const next = async (): Promise<LoginStep> => owed.shift() ?? { kind: 'granted', person: ann, signedInMs }
    return {
      begin: async ({ username, password, public_key }: Credentials) => {
        const isRight = password === this.password || (public_key !== undefined && this.keys.has(public_key))
        if (username === ann.username && isRight) return await next()
        const code = public_key === undefined ? 'password_failed' : 'public_key_unknown'
        return { kind: 'refused', code, message: `wrong in ${language}` }
      },
      selectMfa: async () => {},
      answerMfa: async (_type, code) => (code === this.mfaCode ? true : { message: 'the code is not right' }),
      resume: next,
      confirmStatus: async () => this.confirmed,
      abandon: async () => {
        this.abandoned++
      },
    }
  }

  readonly #open: OpenSession = async (request, client, from) => {
    this.requests.push(request)
    const { gateway, server, user, host } = this.#bench
    const { id } = server.createToken(user, host)
    const session = gateway.openSession({
      client,
      origin: from.origin,
      user_id: request.person.id,
      login_from: 'ST',
      remote_addr: from.remoteAddress,
      language: from.language,
      ask: async () => ({ grant: await gateway.api.tokenSecret(id, from.language) }),
    })
    await session.done
  }
}

/** An asset nobody listens for unless its address is the sshd's. */
export function testAsset(name: string, address: string, comment = ''): GrantedAsset {
  return {
    id: name,
    name,
    address,
    comment,
    is_active: true,
    org_name: 'Default',
    platform: { id: 1, name: 'Linux' },
    protocols: [{ name: 'ssh', port: 22 }],
  }
}
