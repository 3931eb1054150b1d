/** Gateways and other components: how they get an account of their own. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatDatetime, modelOf, ServiceAccount, User } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { readOrCreatePrivateFile } from '../../kernel/data-folder.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import type { Rbac } from '../rbac/index.ts'
import { createServiceAccount } from '../users/index.ts'
import { accessKeys } from './tables.ts'

/** What a new component must know; generated into a file that only this account may read. */
export async function loadBootstrapToken(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'keys')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return await readOrCreatePrivateFile(join(folder, 'bootstrap_token'), () =>
    randomBytes(24).toString('base64url'),
  )
}

export interface NewAccessKey {
  id: string
  secret: string
  is_active: boolean
  date_created: Date
}

/** The secret is answered here and never again. */
export async function createAccessKey(
  executor: Executor,
  secrets: Secrets,
  userId: string,
): Promise<NewAccessKey> {
  const secret = randomUUID()
  const [made] = await executor
    .insert(accessKeys)
    .values({ user_id: userId, secret: secrets.seal(secret) })
    .returning({ id: accessKeys.id, is_active: accessKeys.is_active, date_created: accessKeys.date_created })
  if (made === undefined) throw new Error('the insert of an access key answered nothing')
  return { ...made, secret }
}

export interface Component {
  id: string
  name: string
  comment: string
  access_key: NewAccessKey
}

export interface Registrar {
  /** @throws ApiError 403 when registration is switched off, ValidationError when the name is taken. */
  register(ctx: Context, component: { name: string; comment: string }): Promise<Component>
}

export const createRegistrar = (secrets: Secrets, rbac: Rbac): Registrar => ({
  async register(ctx, component) {
    if (!ctx.settings.SECURITY_SERVICE_ACCOUNT_REGISTRATION) throw forbidden('registration_disabled')
    const account = await createServiceAccount(ctx.db, rbac, component)
    if (account === undefined) throw invalid('name', 'name_not_unique')
    return { ...account, access_key: await createAccessKey(ctx.db, secrets, account.id) }
  },
})

export const registration = (registrar: Registrar): Provided =>
  provide(ServiceAccount, {
    register: async (ctx, { body }) => {
      const { access_key: key, ...account } = await registrar.register(ctx, {
        name: body.name,
        comment: body.comment ?? '',
      })
      const data = { resource_type: modelOf(User), resource: account.name, resource_id: account.id }
      await ctx.emit({ type: 'happened', name: 'operated', data: { action: 'create', ...data } })
      return { ...account, access_key: { ...key, date_created: formatDatetime(key.date_created, ctx.zone) } }
    },
  })
