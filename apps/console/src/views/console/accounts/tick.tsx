import { CheckOutlined } from '@ant-design/icons'
import { useKitText } from '../../../kit/text.ts'
import { nothing } from '../../../kit/values/plain-value.ts'

/** A tick where something holds, and nothing where it does not. */
export function Tick({ on }: { on: boolean }) {
  const t = useKitText()
  return on ? <CheckOutlined aria-label={t('yes')} /> : nothing
}
