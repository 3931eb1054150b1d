import type { ModalProps } from 'antd'
import { Dialog } from '../dialog/dialog.tsx'

/** Wide, and not closed by a click beside it: work may be under way in it. */
export const TransferDialog = (props: Pick<ModalProps, 'title' | 'footer' | 'onCancel' | 'children'>) => (
  <Dialog width={{ xs: '80%', lg: '70%' }} mask={{ closable: false }} {...props} />
)
