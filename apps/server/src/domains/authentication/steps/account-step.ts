import { passed, type Step } from './step.ts'

/** Whether the account may be used at all; told only to whoever has proven to be its person. */
export const accountStep: Step = (_ctx, _parts, { person }) => {
  if (person.isValid) return Promise.resolve(passed)
  const reason = person.isActive ? 'user_expired' : 'user_inactive'
  return Promise.resolve({ is: 'refused', error: reason, reason })
}
