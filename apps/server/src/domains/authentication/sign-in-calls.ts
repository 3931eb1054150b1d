import { SignIn } from '@sallyport/contract'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { failedLately } from '../users/index.ts'
import { askedBeside } from './captcha/captcha.ts'
import { pendingOf } from './pending.ts'
import { owed } from './refusals.ts'
import { look } from './sign-in.ts'
import type { StepParts } from './steps/step.ts'

export const signInCalls = (parts: StepParts): Provided =>
  provide(SignIn, {
    state: async (ctx, { request }) => {
      const pending = await pendingOf(ctx, request)
      const next = pending && (await look(ctx, parts, pending.entering))
      const beside = askedBeside(ctx.settings)
      const isAsked = beside !== 'captcha' || (await failedLately(ctx.db, ctx.remoteAddr))
      return {
        owed: next?.is === 'owed' ? owed(ctx, next) : null,
        beside: (isAsked && beside) || null,
        forgotten_needs_captcha: beside === 'captcha',
      }
    },
  })
