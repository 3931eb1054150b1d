import { SignIn } from '@sallyport/contract'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { pendingOf } from './pending.ts'
import { owed } from './refusals.ts'
import { look } from './sign-in.ts'
import type { StepParts } from './step.ts'

export const signInCalls = (parts: StepParts): Provided =>
  provide(SignIn, {
    state: async (ctx, { request }) => {
      const pending = await pendingOf(ctx, request)
      const next = pending && (await look(ctx, parts, pending.entering))
      return { owed: next?.is === 'owed' ? owed(ctx, next) : null }
    },
  })
