import { AccessKey } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { callerOf } from '../../kernel/context.ts'
import { Reply, route, type Route } from '../../kernel/http/route.ts'
import { type Served, serve } from '../../kernel/resource/binding.ts'
import { presentFor, storedRow } from '../../kernel/resource/read.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { own } from '../../kernel/resource/rows.ts'
import { createAccessKey } from './components.ts'
import { checkConfirmed } from './confirm.ts'
import type { Identities } from './identities.ts'
import { accessKeys } from './tables.ts'

export const accessKeyServed = (identities: Identities): Served =>
  serve(AccessKey, {
    table: accessKeys,
    rows: own(accessKeys.user_id),
    // One that is switched on again is as good as a new one.
    prepare: async (ctx, { input, before }) => {
      if (input['is_active'] === true && before?.['is_active'] === false)
        await checkConfirmed(ctx, 'password')
      return input
    },
    saved: (ctx) => identities.changed(ctx.db),
    removing: (ctx) => identities.changed(ctx.db),
  })

/** Creating answers the secret, once: unlike the compatible system's, lists never show it. */
export const accessKeyRoutes = (served: Served, secrets: Secrets): Route[] => [
  route({
    method: 'POST',
    path: '/api/v1/authentication/access-keys/',
    access: { permission: 'authentication.add_accesskey' },
    transaction: true,
    handler: async (ctx) => {
      await checkConfirmed(ctx, 'password')
      const { id, secret } = await createAccessKey(ctx.db, secrets, callerOf(ctx).id)
      const row = await storedRow(served, ctx, eq(accessKeys.id, id))
      if (row === undefined) throw new Error('a new access key was not found')
      await ctx.emit({
        type: 'created',
        resource: AccessKey,
        id,
        before: undefined,
        after: row,
        secrets: ['secret'],
      })
      return new Reply(201, { ...presentFor(served, ctx, row, 'detail'), secret })
    },
  }),
]
