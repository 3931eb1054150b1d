import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useKitText } from '../text.ts'
import { KeepButtons } from './keep-buttons.tsx'
import { nothing } from './plain-value.ts'
import styles from './values.module.css'

/** A secret behind asterisks, to be shown, copied, and with a file name downloaded. */
export function SecretText({ secret, fileName }: { secret: string; fileName?: string }) {
  const t = useKitText()
  const [shown, setShown] = useState(false)
  if (!secret) {
    return nothing
  }
  const label = t(shown ? 'hide' : 'show')
  return (
    <span className={styles.secret}>
      <span data-shown={shown}>{shown ? secret : '******'}</span>
      <Button
        type="text"
        size="small"
        aria-label={label}
        title={label}
        icon={shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
        onClick={() => setShown(!shown)}
      />
      <KeepButtons text={secret} fileName={fileName} />
    </span>
  )
}
