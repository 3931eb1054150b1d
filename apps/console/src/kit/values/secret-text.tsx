import { CopyOutlined, DownloadOutlined, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useCopy } from '../feedback/copy.ts'
import { useKitText } from '../text.ts'
import { nothing } from './plain-value.ts'
import styles from './values.module.css'

/** A secret behind asterisks, to be shown, copied, and with a file name downloaded. */
export function SecretText({ secret, fileName }: { secret: string; fileName?: string }) {
  const t = useKitText()
  const copy = useCopy()
  const [shown, setShown] = useState(false)
  if (!secret) {
    return nothing
  }
  const button = (label: string, icon: React.ReactNode, run: () => void) => (
    <Button type="text" size="small" aria-label={label} title={label} icon={icon} onClick={run} />
  )
  return (
    <span className={styles.secret}>
      <span data-shown={shown}>{shown ? secret : '******'}</span>
      {shown
        ? button(t('hide'), <EyeInvisibleOutlined aria-hidden />, () => setShown(false))
        : button(t('show'), <EyeOutlined aria-hidden />, () => setShown(true))}
      {button(t('copy'), <CopyOutlined aria-hidden />, () => void copy(secret))}
      {fileName !== undefined &&
        button(t('download'), <DownloadOutlined aria-hidden />, () => save(secret, fileName))}
    </span>
  )
}

function save(text: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
