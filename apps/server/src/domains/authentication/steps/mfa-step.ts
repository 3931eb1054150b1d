import { checkCode, codeBlock, factorsOf } from '../mfa/mfa.ts'
import { passed, type Step } from './step.ts'

/** A second factor, where the person or the platform wants one. */
export const mfaStep: Step = async (ctx, parts, { person, provenBy, way, mfaType, given }) => {
  // A passkey is a device and whoever unlocks it.
  if (!person.isMfaEnabled || provenBy === 'Passkey') return passed
  const choices = factorsOf(ctx, person)
  // Only browsers can ask for one.
  if (way.door === 'page' && person.hasPasskey) choices.push('passkey')
  if (mfaType !== undefined && choices.includes(mfaType)) return passed
  if (choices.length === 0)
    return way.door === 'page'
      ? { is: 'owed', error: 'mfa_unset', reason: 'mfa_unset_here' }
      : { is: 'refused', error: 'mfa_unset', reason: 'mfa_unset' }
  const { code, mfaType: factor = '' } = given
  if (code !== undefined && code !== '') {
    const refused = await checkCode(ctx, parts, person, { factor, code, way })
    return refused ?? { is: 'passed', now: { mfaType: factor || choices[0] } }
  }
  const blocked = await codeBlock(ctx, person, way.remoteAddr)
  return blocked ?? { is: 'owed', error: 'mfa_required', reason: 'mfa_required', choices }
}
