import type { Verdict } from '../session/gate.ts'

export const refusal = (sentence: string): Verdict => ({ kind: 'refuse', sentence, risk_level: 5 })
