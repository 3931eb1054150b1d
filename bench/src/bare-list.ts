/**
 * The peer of lists.ts: Fastify, the same two statements on the same pool settings, the same JSON. The statements are those the kernel
 * itself makes for the query where it keeps no counts, taken down while it answers once. Arguments: database address, query string.
 */
import { defaultOrgId, defaultSettings } from '@sallyport/contract'
import { drizzle } from 'drizzle-orm/node-postgres'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { assetsServed } from '../../apps/server/src/domains/assets/assets.ts'
import { accountsOfAssets } from '../../apps/server/src/domains/accounts/index.ts'
import { createContext } from '../../apps/server/src/kernel/context.ts'
import { listRows } from '../../apps/server/src/kernel/resource/read.ts'

const [url = '', query = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: url, max: 20 })
const statements: { text: string; values: unknown[] }[] = []
const logger = { logQuery: (text: string, values: unknown[]) => void statements.push({ text, values }) }

const context = createContext(
  { emit: () => Promise.resolve() },
  {
    db: drizzle({ client: pool, logger }),
    identity: undefined,
    org: { id: defaultOrgId, name: 'DEFAULT', is_root: false, is_default: true },
    language: 'en',
    zone: 'UTC',
    remoteAddr: '127.0.0.1',
    origin: 'http://127.0.0.1',
    can: () => true,
    orgName: () => 'DEFAULT',
    settings: defaultSettings,
    hasLicence: true,
  },
)
const secret = () => ''
const { hosts } = assetsServed(
  accountsOfAssets(
    {
      secrets: {
        seal: secret,
        unseal: secret,
        isEnvelope: () => false,
        openEnvelopes: () => Promise.resolve([]),
        publicKey: '',
      },
    },
    () => Promise.resolve(),
  ),
)
// Its rows are counted, not known.
const { counts: _kept, ...counted } = hosts.binding
const answer = await listRows(
  { ...hosts, binding: counted },
  context,
  Object.fromEntries(new URLSearchParams(query)),
  {
    selected: undefined,
    maxLimit: 100,
    path: '/api/v1/assets/hosts/',
  },
)
const [first, second] = statements
if (first === undefined || second === undefined || statements.length !== 2)
  throw new Error(`a page took ${statements.length} statements instead of two`)

const app = Fastify()
app.get('/', async () => {
  await Promise.all([pool.query(first.text, first.values), pool.query(second.text, second.values)])
  return answer
})
process.send?.({ origin: await app.listen({ host: '127.0.0.1', port: 0 }) })
