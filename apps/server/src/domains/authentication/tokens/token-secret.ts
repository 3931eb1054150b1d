/** What a gateway gets for who may connect: everything it takes, told once. */
import {
  assetCategories,
  assetTypes,
  choiceLabel,
  formatDatetime,
  type Labeled,
  type Language,
  namesOf,
  permissionActions,
  secretTypes,
} from '@sallyport/contract'
import { protocolChoices } from '@sallyport/contract/assets/protocols'
import type { GrantTold, TokenSecretTold } from '@sallyport/contract/gateway/grants'
import { eq, getTableColumns } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Context, displayOf } from '../../../kernel/context.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { refused } from '../../../kernel/errors.ts'
import { presentFor } from '../../../kernel/resource/read.ts'
import { accounts, zoneOf } from '../../accounts/index.ts'
import { platformsRead } from '../../assets/index.ts'
import {
  admit,
  type AssetLogin,
  commandFiltersOf,
  connectingOf,
  type LoginAssetRule,
} from '../../acls/index.ts'
import type { Notifications } from '../../notifications/index.ts'
import type { Tickets } from '../../tickets/index.ts'
import { administratorsOf } from '../../users/index.ts'
import {
  checkProtocol,
  loginOf,
  type Rights,
  rightsOf,
  type StoredToken,
  usernameTyped,
  type Wanted,
} from './connection-tokens.ts'

/** The account another one is become from. */
const sudoers = alias(accounts, 'su_from')

const connectMethods: Readonly<Record<string, { label: string; type: 'web' | 'native' }>> = {
  web_cli: { label: 'Web CLI', type: 'web' },
  ssh: { label: 'SSH', type: 'native' },
  putty: { label: 'PuTTY', type: 'native' },
  xshell: { label: 'Xshell', type: 'native' },
}

const labeled = (set: { name: string }, value: string, language: Language): Labeled<string> => ({
  value,
  label: choiceLabel(set, value, language),
})

/** A connection that is asked for. */
export interface WantedConnection extends Wanted {
  protocol: string
  connectMethod: string
  /** What the person typed, where the account has no name or no secret of its own; empty for nothing. */
  inputUsername: string
  inputSecret: string
}

/** What grants are made with. */
export interface GrantParts {
  secrets: Secrets
  tickets: Tickets
  notifications: Pick<Notifications, 'send'>
}

/** A session that is about to begin. */
export interface Beginning {
  sessionId: string
  /** Of the person's client. */
  remoteAddr: string
  /** The approval it has, where a rule wants one. */
  ticket: string | undefined
}

/**
 * What it takes to connect, for who may now; in a transaction.
 * @throws ApiError 400 to who may not: `perm_account_invalid`, `acl_reject`, `acl_review`; ValidationError for a protocol the asset does not
 * speak
 */
export async function grantOf(
  ctx: Context,
  parts: GrantParts,
  wanted: WantedConnection,
  { sessionId, remoteAddr, ticket }: Beginning,
): Promise<GrantTold> {
  const rights = await rightsOf(ctx, wanted)
  checkProtocol(rights, wanted.protocol)
  const inputUsername = usernameTyped(rights, wanted.inputUsername)
  const login = loginOf(rights, inputUsername)
  const rule = await admit(ctx, parts.tickets, login, ticket)
  const approval = rule?.action === 'review' ? ticket : undefined
  if (approval !== undefined && !(await parts.tickets.use(ctx.db, approval, sessionId)))
    throw refused('acl_review')
  await tellOf(ctx, parts, rule, login, remoteAddr)
  const grant = await told(ctx, parts.secrets, rights, { ...wanted, inputUsername })
  return { ...grant, from_ticket: approval ?? null }
}

/** Tells reviewers, else administrators, of a connection a rule warns of or notifies; of a warning its person, too. */
async function tellOf(
  ctx: Context,
  { notifications }: Pick<GrantParts, 'notifications'>,
  rule: LoginAssetRule | undefined,
  { user, asset, accounts }: AssetLogin,
  remoteAddr: string,
): Promise<void> {
  if (rule?.action !== 'warning' && rule?.action !== 'notice') return
  const params = {
    user: displayOf(user),
    asset: `${asset.name}(${asset.address})`,
    account: accounts.at(-1) ?? '',
    ip: remoteAddr,
    time: formatDatetime(new Date(), ctx.zone),
    rule: rule.name,
  }
  const told = rule.reviewers.length > 0 ? rule.reviewers : await administratorsOf(ctx.db, asset.org_id)
  await notifications.send(ctx, 'AssetLoginNoticeMsg', told, params)
  if (rule.action === 'warning') await notifications.send(ctx, 'AssetLoginWarningMsg', [user.id], params)
}

/**
 * The contents of a token that was just taken. The rights are asked for again: they may have gone since it was made.
 * @throws ApiError 400 `perm_account_invalid` when they have, `acl_reject` and `acl_review` where a rule does not let them connect (any more)
 */
export async function contentsOf(
  ctx: Context,
  parts: GrantParts,
  token: StoredToken,
): Promise<TokenSecretTold> {
  const wanted: WantedConnection = {
    userId: token.user_id,
    assetId: token.asset_id,
    account: token.account,
    protocol: token.protocol,
    connectMethod: token.connect_method,
    inputUsername: token.input_username,
    inputSecret: open(parts.secrets, token.input_secret),
  }
  const rights = await rightsOf(ctx, wanted)
  const login = loginOf(rights, wanted.inputUsername)
  const rule = await admit(ctx, parts.tickets, login, token.from_ticket_id)
  await tellOf(ctx, parts, rule, login, ctx.remoteAddr)
  const grant = await told(ctx, parts.secrets, rights, wanted)
  return { ...grant, id: token.id, value: token.value, from_ticket: token.from_ticket_id }
}

async function told(
  ctx: Context,
  secrets: Secrets,
  { user, asset, platform, account }: Rights,
  wanted: WantedConnection,
): Promise<GrantTold> {
  const { automation: _automation, ...shownPlatform } = presentFor(platformsRead, ctx, platform, 'detail')
  const method = connectMethods[wanted.connectMethod]
  return {
    user,
    asset: {
      id: asset.id,
      name: asset.name,
      address: asset.address,
      protocols: asset.protocols,
      category: labeled(assetCategories, platform.category, ctx.language),
      type: labeled(assetTypes, platform.type, ctx.language),
      org_id: asset.org_id,
      spec_info: {},
      secret_info: {},
    },
    account: await accountOf(ctx, secrets, { account, platform }, wanted),
    platform: shownPlatform as GrantTold['platform'],
    command_filter_acls: await commandFiltersOf(
      ctx.db,
      connectingOf(loginOf({ user, asset, account }, wanted.inputUsername)),
    ),
    protocol: z.enum(protocolChoices.values).parse(wanted.protocol),
    ...(await zoneOf(ctx, secrets, asset, platform)),
    actions: namesOf(permissionActions, account.actions).map((name) =>
      labeled(permissionActions, name, ctx.language),
    ),
    expire_at: Math.floor(account.date_expired.getTime() / 1000),
    from_ticket: null,
    connect_method: {
      label: method?.label ?? wanted.connectMethod,
      value: wanted.connectMethod,
      type: method?.type ?? 'native',
      component: 'koko',
    },
    org_id: asset.org_id,
    org_name: ctx.orgName(asset.org_id),
  }
}

const open = (secrets: Secrets, sealed: string | null) => (sealed === null ? '' : secrets.unseal(sealed))

async function accountOf(
  ctx: Context,
  secrets: Secrets,
  { account, platform }: Pick<Rights, 'account' | 'platform'>,
  { inputUsername, inputSecret }: WantedConnection,
): Promise<GrantTold['account']> {
  const [found] =
    account.id === undefined
      ? []
      : await ctx.db
          .select({ stored: getTableColumns(accounts), from: getTableColumns(sudoers) })
          .from(accounts)
          .leftJoin(sudoers, eq(sudoers.id, accounts.su_from_id))
          .where(eq(accounts.id, account.id))
  if (found === undefined)
    return {
      id: '',
      name: account.alias,
      username: inputUsername,
      secret_type: labeled(secretTypes, 'password', ctx.language),
      secret: inputSecret,
      su_from: null,
      privileged: false,
    }
  const { stored } = found
  // Where nobody may switch, the account signs in by itself.
  const from = platform.su_enabled ? found.from : null
  if (from && !from.is_active) throw refused('su_from_inactive', { account: stored.name, from: from.name })
  return {
    id: stored.id,
    name: stored.name,
    username: stored.username,
    secret_type: labeled(secretTypes, stored.secret_type, ctx.language),
    // An account without a secret is opened with what the person typed.
    secret: stored.secret === null ? inputSecret : secrets.unseal(stored.secret),
    su_from: from
      ? {
          id: from.id,
          name: from.name,
          username: from.username,
          secret_type: labeled(secretTypes, from.secret_type, ctx.language),
          secret: open(secrets, from.secret),
        }
      : null,
    privileged: stored.privileged,
  }
}
