import { CloseCircleFilled } from '@ant-design/icons'
import { useKitText } from '../text.ts'

const clearIcon = <CloseCircleFilled aria-hidden />

/** The button that empties a select, named in the person's language. */
export function useClear() {
  const t = useKitText()
  return { clearIcon, label: t('clear') }
}
