import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
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
  Person,
  SessionRequest,
} from '../listeners/ssh/services.ts'
import type { Client, TargetConnection } from '../session/ports.ts'
import { connectSsh } from '../targets/ssh/connect.ts'
import { TargetError } from '../targets/ssh/errors.ts'
import { FileHostKeys } from '../targets/ssh/host-keys.ts'
import type { TestSshd } from './sshd.ts'

export const ann: Person = { id: 'ann-id', username: 'ann', name: 'Ann Lee' }

/**
 * The real SSH listener and target in front of a real sshd, with rights kept in memory: `ann` may use the sshd as asset `box`. Rights,
 * settings and the steps of a login can be changed while it runs.
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
  }
  readonly requests: SessionRequest[] = []
  readonly tokens = new Map<string, { value: string; person: Person }>()
  readonly folder: string
  readonly #sshd: TestSshd
  #listener: SshListener | undefined

  private constructor(sshd: TestSshd, folder: string) {
    this.#sshd = sshd
    this.folder = folder
    this.assets = [testAsset('box', sshd.host, 'the only real one')]
    this.accounts.set('box', [{ alias: 'op', name: 'op', username: 'op', has_secret: true }])
  }

  static async start(sshd: TestSshd, options: Partial<SshListenerOptions> = {}): Promise<TestGateway> {
    const gateway = new TestGateway(sshd, await mkdtemp(join(tmpdir(), 'sallyport-gateway-')))
    gateway.#listener = await SshListener.start({
      host: '127.0.0.1',
      port: 0,
      folder: gateway.folder,
      directory: gateway.#directory(),
      openSession: (request, client) => gateway.#open(request, client),
      protocols: ['ssh'],
      log: pino({ level: 'silent' }),
      failureDelayMs: 1,
      ...options,
    })
    return gateway
  }

  get port(): number {
    return this.#listener?.port ?? 0
  }

  async stop(): Promise<void> {
    await this.#listener?.close()
    await rm(this.folder, { recursive: true, force: true })
  }

  #directory(): Directory {
    return {
      login: () => this.#login(),
      settings: () => this.settings,
      accounts: async (_person, id) => this.accounts.get(id) ?? [],
      nodes: async () => this.nodes,
      assets: async (_person, { limit, offset, search = [], address, category, node_id }) => {
        const hits = this.assets.filter(
          (asset) =>
            search.every((term) => `${asset.name} ${asset.address} ${asset.comment}`.includes(term)) &&
            (address === undefined || asset.address === address) &&
            category !== 'database' &&
            (node_id === undefined || asset.comment.includes(node_id)),
        )
        return { count: hits.length, results: hits.slice(offset, offset + limit) }
      },
      redeemToken: async (id) => {
        const token = this.tokens.get(id)
        this.tokens.delete(id)
        return token && { id, protocol: 'ssh', ...token }
      },
    }
  }

  #login(): Login {
    const owed = [...this.steps]
    const next = async (): Promise<LoginStep> => owed.shift() ?? { kind: 'granted', person: ann }
    return {
      begin: async ({ username, password, public_key }: Credentials) => {
        const isRight = password === this.password || (public_key !== undefined && this.keys.has(public_key))
        if (username === ann.username && isRight) return await next()
        return { kind: 'refused', code: 'password_failed', message: 'wrong, 5 tries left' }
      },
      selectMfa: async () => {},
      answerMfa: async (_type, code) => (code === this.mfaCode ? true : { message: 'the code is not right' }),
      resume: next,
      confirmStatus: async () => 'approved',
      abandon: async () => {},
    }
  }

  async #open(request: SessionRequest, client: Client): Promise<void> {
    this.requests.push(request)
    const { host, port, username, privateKey } = this.#sshd
    let connection: TargetConnection
    try {
      connection = await connectSsh(
        { asset_id: 'box', address: host, port, username, private_key: privateKey },
        { hostKeys: new FileHostKeys(join(this.folder, 'known_hosts')) },
      )
    } catch (error) {
      client.notice(error instanceof TargetError ? error.sentence('en') : String(error))
      client.exit({ kind: 'status', code: 255 })
      return
    }
    const { kind, command = '', terminal = { term: 'xterm', cols: 80, rows: 24 }, lang } = client
    const channel =
      kind === 'exec'
        ? await connection.exec(command, { terminal: client.terminal, lang })
        : await connection.shell(terminal, { lang })
    client.onResize((size) => channel.resize(size))
    client.onSignal?.((name) => channel.signal(name))
    client.onClose(() => channel.destroy())
    client.stdin.pipe(channel.stdin)
    channel.stdout.pipe(client.stdout, { end: false })
    channel.stderr?.pipe(client.stderr ?? client.stdout, { end: false })
    const ended = new Promise((resolve) => channel.stdout.once('end', resolve))
    const result = await channel.exited
    await Promise.race([ended, new Promise((resolve) => client.onClose(() => resolve(undefined)))])
    client.stdin.unpipe(channel.stdin)
    client.exit(result)
    connection.end()
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
