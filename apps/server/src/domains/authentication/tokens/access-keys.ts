import { AccessKey } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { callerOf } from '../../../kernel/context.ts'
import { type Served, serve } from '../../../kernel/resource/binding.ts'
import { presentFor, storedRow } from '../../../kernel/resource/read.ts'
import { own } from '../../../kernel/resource/rows.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { createAccessKey } from '../components.ts'
import { checkConfirmed } from '../confirm.ts'
import type { Identities } from '../identities.ts'
import { accessKeys } from '../tables.ts'

export const accessKeyServed = (identities: Identities, secrets: Secrets): Served =>
  serve(AccessKey, {
    table: accessKeys,
    rows: own(accessKeys.user_id),
    // One that is switched on again is as good as a new one.
    prepare: async (ctx, { input, before }) => {
      if (input.is_active === true && before?.is_active === false) await checkConfirmed(ctx, 'password')
      return input
    },
    saved: (ctx) => identities.changed(ctx.db),
    removing: (ctx) => identities.changed(ctx.db),
    calls: {
      create: async (ctx, { served }) => {
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
        return { ...(presentFor(served, ctx, row, 'detail') as unknown as AccessKey), secret }
      },
    },
  })
