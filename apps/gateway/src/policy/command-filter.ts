import type { Verdict } from '../session/gate.ts'

/** A command filter as a grant tells it; they come in the order in which they are asked. */
export interface CommandFilter {
  id: string
  name: string
  action: 'reject' | 'accept' | 'review' | 'warning' | 'notice'
  is_active: boolean
  reviewers: readonly { id: string; name: string }[]
  command_groups: readonly { pattern: string; ignore_case: boolean }[]
}

export const refusal = (sentence: string): Verdict => ({ kind: 'refuse', sentence, risk_level: 5 })
