import { Alert } from 'antd'
import type { ReactNode } from 'react'

/** Something a person has to see to, above what it is about; `action` leads there. */
export default function Notice({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return <Alert type="warning" showIcon role="status" title={children} action={action} />
}
