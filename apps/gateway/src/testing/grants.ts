import { randomBytes, randomUUID } from 'node:crypto'
import type { Grant, TestAccount, TestHost, TestUser } from './people.ts'
import type { Reply } from './recordings.ts'
import { shownHost } from './told.ts'

interface Token {
  value: string
  grant: Grant
  isUsed: boolean
}

/** The hosts of the test server, who may use them, and connection tokens for them. */
export class TestGrants {
  readonly hosts: TestHost[] = []
  readonly tokens = new Map<string, Token>()
  readonly #grants: Grant[] = []

  addHost(
    address: string,
    port: number,
    { su_from, ...account }: TestAccount & { su_from?: TestAccount },
    name = `host-${this.hosts.length + 1}`,
  ): TestHost {
    const host = {
      id: randomUUID(),
      name,
      address,
      port,
      accounts: [{ ...named(account), ...(su_from && { su_from: named(su_from) }) }],
    }
    this.hosts.push(host)
    return host
  }

  /** Lets a person connect with every account of the host. */
  allow(user: TestUser, host: TestHost, changes: { actions?: string[]; expire_at?: number } = {}): void {
    for (const account of host.accounts) {
      this.#grants.push({ user, host, account, actions: ['connect'], expire_at: 4e9, ...changes })
    }
  }

  revoke(user: TestUser): void {
    for (let at = this.#grants.length - 1; at >= 0; at--) {
      if (this.#grants[at]?.user === user) this.#grants.splice(at, 1)
    }
  }

  /** A connection token as the browser gets it. */
  createToken(user: TestUser, host: TestHost): { id: string; value: string } {
    const grant = this.#grants.find((candidate) => candidate.user === user && candidate.host === host)
    if (!grant) throw new Error('not granted')
    const id = randomUUID()
    const value = randomBytes(8).toString('hex')
    this.tokens.set(id, { value, grant, isUsed: false })
    return { id, value }
  }

  assets(query: URLSearchParams, userId: string): Reply {
    const hosts = [...new Set(this.of(userId).map((grant) => grant.host))]
    const terms = query.getAll('search')
    const found = hosts
      .filter((host) => terms.every((term) => host.name.includes(term) || host.address.includes(term)))
      .sort((a, b) => a.name.localeCompare(b.name))
    const offset = Number(query.get('offset') ?? 0)
    const limit = Number(query.get('limit') ?? 100)
    const results = found.slice(offset, offset + limit).map((host) => shownHost(host))
    return { status: 200, body: { count: found.length, next: null, previous: null, results } }
  }

  nodes(userId: string): Reply {
    const amount = new Set(this.of(userId).map((grant) => grant.host)).size
    return { status: 200, body: [{ id: randomUUID(), key: '1', value: 'DEFAULT', assets_amount: amount }] }
  }

  of(userId: string): Grant[] {
    return this.#grants.filter((grant) => grant.user.id === userId)
  }

  accountRows(userId: string, hostId: string) {
    const grants = this.of(userId).filter((grant) => grant.host.id === hostId)
    return grants.map(({ account, actions }) => ({
      alias: account.name,
      name: account.name,
      username: account.username,
      has_username: true,
      has_secret: true,
      secret_type: account.secret_type,
      actions: actions.map((value) => ({ value, label: value })),
    }))
  }

  direct(query: URLSearchParams, userId: string): Reply {
    const named = query.get('address')
    const hosts = [...new Set(this.of(userId).map((grant) => grant.host))]
    const byAddress = hosts.filter(({ address }) => address === named)
    const found = byAddress.length > 0 ? byAddress : hosts.filter(({ name }) => name === named)
    const [only] = found
    const accounts = only && found.length === 1 ? this.accountRows(userId, only.id) : []
    return { status: 200, body: { assets: found.map((host) => shownHost(host)), accounts } }
  }
}

const named = (account: TestAccount) => ({ id: randomUUID(), name: account.username, ...account })
