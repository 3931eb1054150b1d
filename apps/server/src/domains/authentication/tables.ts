import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { identified, timestamptz } from '../../kernel/database/columns.ts'
import { tickets } from '../tickets/tables.ts'
import { users } from '../users/tables.ts'

const ownedBy = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Step-up: 1 signed in again, 2 password, 3 second factor. */
const confirmable = () => ({
  confirm_level: integer().notNull().default(0),
  date_confirmed: timestamptz(),
  /** Of an authenticator app that has not shown a code yet; encrypted at rest. */
  otp_offered: text(),
})

/** Signed-in browsers. Tokens are kept as SHA-256: who reads the table cannot sign in with it. */
export const webSessions = pgTable(
  'web_sessions',
  {
    ...identified(),
    token_hash: text().notNull().unique(),
    user_id: ownedBy(),
    /** The cookie outlives the browser. */
    auto_login: boolean().notNull().default(false),
    remote_addr: text().notNull(),
    user_agent: text().notNull().default(''),
    ...confirmable(),
    date_created: timestamptz().notNull().defaultNow(),
    date_last_used: timestamptz().notNull().defaultNow(),
    date_expired: timestamptz().notNull(),
  },
  (table) => [
    index('web_sessions_user_idx').on(table.user_id),
    index('web_sessions_expired_idx').on(table.date_expired),
  ],
)

/** Of people who have proven a part of who they are and are asked for the rest. Nothing but the rest of the sign-in opens with them. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    ...identified(),
    token_hash: text().notNull().unique(),
    user_id: ownedBy(),
    /** The gateway it goes through; it alone goes on with it. */
    component_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** `page`, `program` or `gateway`. */
    door: text().notNull(),
    /** How the login log calls the door: W, T or U. */
    login_type: text().notNull(),
    proven_by: text().notNull(),
    /** SHA-256 of what was compared with (a password's hash, a key): it counts only while that is still the person's. */
    proof: text(),
    /** Of a password that replaces one that must be changed; put into force with the sign-in. */
    new_password_hash: text(),
    auto_login: boolean().notNull().default(false),
    remote_addr: text().notNull(),
    user_agent: text().notNull().default(''),
    /** The second factor that was proven. */
    mfa_type: text(),
    otp_offered: text(),
    /** By which others are asked to confirm it. */
    ticket_id: uuid().references(() => tickets.id, { onDelete: 'set null' }),
    date_created: timestamptz().notNull().defaultNow(),
    date_expired: timestamptz().notNull(),
  },
  (table) => [
    index('pending_sign_ins_user_idx').on(table.user_id),
    index('pending_sign_ins_expired_idx').on(table.date_expired),
  ],
)

/** In the place of a code of an app that is lost, each once. Kept as SHA-256 of 80 random bits. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { ...identified(), user_id: ownedBy(), code_hash: text().notNull(), date_used: timestamptz() },
  (table) => [index('recovery_codes_user_idx').on(table.user_id)],
)

export const passkeys = pgTable(
  'passkeys',
  {
    ...identified(),
    user_id: ownedBy(),
    name: text().notNull(),
    credential_id: text().notNull().unique(),
    /** Base64url. */
    public_key: text().notNull(),
    /** Up to 2^32 - 1. */
    counter: bigint({ mode: 'number' }).notNull().default(0),
    transports: text().array().notNull().default([]),
    date_created: timestamptz().notNull().defaultNow(),
    date_last_used: timestamptz(),
  },
  (table) => [index('passkeys_user_idx').on(table.user_id)],
)

/** What browsers are asked to sign to make a passkey, until it is signed; and what was signed to log in, so that it is good once. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challenge_hash: text().primaryKey(),
  /** Whose passkey is being made; nobody's of what was signed to log in. */
  user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
  date_expired: timestamptz().notNull(),
})

/** Captchas that were answered, so that each is good once. */
export const spentCaptchas = pgTable('spent_captchas', {
  key_hash: text().primaryKey(),
  date_expired: timestamptz().notNull(),
})

export const tempTokens = pgTable(
  'temp_tokens',
  {
    ...identified(),
    user_id: ownedBy(),
    /** Encrypted at rest, for its person to read. */
    sealed: text().notNull(),
    secret_hash: text().notNull(),
    verified: boolean().notNull().default(false),
    date_created: timestamptz().notNull().defaultNow(),
    date_updated: timestamptz().notNull().defaultNow(),
    date_verified: timestamptz(),
    date_expired: timestamptz().notNull(),
  },
  (table) => [index('temp_tokens_user_idx').on(table.user_id)],
)

export const bearerTokens = pgTable(
  'bearer_tokens',
  {
    ...identified(),
    token_hash: text().notNull().unique(),
    user_id: ownedBy(),
    remote_addr: text().notNull(),
    ...confirmable(),
    date_created: timestamptz().notNull().defaultNow(),
    date_expired: timestamptz().notNull(),
  },
  (table) => [
    index('bearer_tokens_user_idx').on(table.user_id),
    index('bearer_tokens_expired_idx').on(table.date_expired),
  ],
)

export const accessKeys = pgTable(
  'access_keys',
  {
    ...identified(),
    user_id: ownedBy(),
    /** Encrypted at rest, not hashed: a signature can only be checked with the key itself. */
    secret: text().notNull(),
    is_active: boolean().notNull().default(true),
    date_created: timestamptz().notNull().defaultNow(),
  },
  (table) => [index('access_keys_user_idx').on(table.user_id)],
)

/** Of requests signed with one, until their date is too old to be taken. */
export const signatureNonces = pgTable(
  'signature_nonces',
  {
    key_id: uuid().notNull(),
    nonce: text().notNull(),
    date_expired: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key_id, table.nonce] }),
    index('signature_nonces_expired_idx').on(table.date_expired),
  ],
)

/** The asset is not a foreign key: a token lives for minutes, and what it names is looked up and checked when it is used. */
export const connectionTokens = pgTable(
  'connection_tokens',
  {
    ...identified(),
    value: text().notNull(),
    user_id: ownedBy(),
    /** The gateway that asked for it in the name of its person; it alone may use it. */
    component_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    asset_id: uuid().notNull(),
    account: text().notNull(),
    input_username: text().notNull().default(''),
    /** Encrypted at rest. */
    input_secret: text(),
    connect_method: text().notNull(),
    protocol: text().notNull(),
    actions: integer().notNull().default(0),
    user_display: text().notNull(),
    asset_display: text().notNull(),
    is_active: boolean().notNull().default(true),
    from_ticket_id: uuid(),
    /** The first of those that were exchanged for each other, of which one is good at a time. */
    exchanged_from: uuid(),
    org_id: uuid().notNull(),
    created_by: text().notNull().default(''),
    updated_by: text().notNull().default(''),
    date_created: timestamptz().notNull().defaultNow(),
    date_updated: timestamptz().notNull().defaultNow(),
    date_expired: timestamptz().notNull(),
  },
  (table) => [
    index('connection_tokens_user_idx').on(table.user_id, table.date_expired),
    index('connection_tokens_expired_idx').on(table.date_expired),
    index('connection_tokens_exchanged_idx').on(table.exchanged_from),
  ],
)
