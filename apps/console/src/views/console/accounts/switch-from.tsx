import type { Account } from '@sallyport/contract/resources/accounts'
import { useMessages } from '../../../kit/text.ts'

const elsewhere = new Set(['database', 'device', 'cloud', 'web'])

/** Only on machines with several users is anything switched. */
export const canSwitch = ({ asset }: Account) =>
  !elsewhere.has(valueOf(asset['category'])) && valueOf(asset['type']) !== 'windows'

// What a related object shows is told as texts; these two are choices.
const valueOf = (choice: unknown) =>
  typeof choice === 'object' && choice !== null && 'value' in choice ? String(choice.value) : String(choice)

/** What is lost with an account others are switched to from. */
export function SwitchFromLost() {
  const text = useMessages()
  return <p>{text('console:switchFromLost')}</p>
}
