import { Modal, type ModalProps } from 'antd'
import { useKitText } from '../text.ts'

/** From the width at which the sidebar stands beside the page (992 px) dialogs need less of it. */
const widths = { xs: '80%', lg: '60%' }
const place = { top: '3vh' }

/** A dialog near the top of the page, 60 % wide (80 % on a phone) unless said. */
export function Dialog(props: ModalProps) {
  const t = useKitText()
  return <Modal width={widths} style={place} closable={{ 'aria-label': t('close') }} {...props} />
}
