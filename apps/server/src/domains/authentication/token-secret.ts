/** What a gateway gets for a connection token: everything it takes to connect, read once. */
import {
  assetCategories,
  assetTypes,
  choiceLabel,
  type Labeled,
  type Language,
  namesOf,
  permissionActions,
  secretTypes,
} from '@sallyport/contract'
import { protocolChoices } from '@sallyport/contract/assets/protocols'
import type { TokenSecretTold } from '@sallyport/contract/gateway/grants'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { accounts } from '../accounts/index.ts'
import { platforms } from '../assets/index.ts'
import { type Rights, rightsOf, type StoredToken } from './connection-tokens.ts'

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

/**
 * The contents of a token that was just taken. The rights are asked for again: they may have gone since it was made.
 * @throws ApiError 400 `perm_account_invalid` when they have.
 */
export async function contentsOf(
  ctx: Context,
  secrets: Secrets,
  token: StoredToken,
): Promise<TokenSecretTold> {
  const { user, asset, account } = await rightsOf(ctx, {
    userId: token.user_id,
    assetId: token.asset_id,
    account: token.account,
  })
  const [platform] = await ctx.db.select().from(platforms).where(eq(platforms.id, asset.platform_id))
  if (platform === undefined) throw new Error(`the asset ${asset.id} has no platform`)
  const { automation: _automation, ...shownPlatform } = platform
  const method = connectMethods[token.connect_method]
  return {
    id: token.id,
    value: token.value,
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
    account: await accountOf(ctx, secrets, token, account),
    platform: shownPlatform,
    command_filter_acls: [],
    protocol: z.enum(protocolChoices.values).parse(token.protocol),
    domain: null,
    gateway: null,
    actions: namesOf(permissionActions, account.actions).map((name) =>
      labeled(permissionActions, name, ctx.language),
    ),
    expire_at: Math.floor(account.date_expired.getTime() / 1000),
    from_ticket: token.from_ticket_id,
    connect_method: {
      label: method?.label ?? token.connect_method,
      value: token.connect_method,
      type: method?.type ?? 'native',
      component: 'koko',
    },
    org_id: asset.org_id,
    org_name: ctx.orgName(asset.org_id),
  }
}

const open = (secrets: Secrets, sealed: string | null) => (sealed === null ? '' : secrets.unseal(sealed))

async function accountOf(ctx: Context, secrets: Secrets, token: StoredToken, account: Rights['account']) {
  const [stored] =
    account.id === undefined ? [] : await ctx.db.select().from(accounts).where(eq(accounts.id, account.id))
  if (stored === undefined)
    return {
      id: '',
      name: account.alias,
      username: token.input_username,
      secret_type: labeled(secretTypes, 'password', ctx.language),
      secret: open(secrets, token.input_secret),
      su_from: null,
      privileged: false,
    }
  const [from] =
    stored.su_from_id === null
      ? []
      : await ctx.db.select().from(accounts).where(eq(accounts.id, stored.su_from_id))
  return {
    id: stored.id,
    name: stored.name,
    username: stored.username,
    secret_type: labeled(secretTypes, stored.secret_type, ctx.language),
    // An account without a secret is opened with what the person typed.
    secret: open(secrets, stored.secret ?? token.input_secret),
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
