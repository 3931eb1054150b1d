import { accountStep } from './account-step.ts'
import { mfaStep } from './mfa-step.ts'
import { passwordStep } from './password-step.ts'
import { reviewStep } from './review.ts'
import { rulesStep } from './rules-step.ts'
import type { Step } from './step.ts'

/** What stands between who somebody is and being in, in this order. */
export const steps: readonly Step[] = [accountStep, rulesStep, passwordStep, mfaStep, reviewStep]
