import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useCopy } from '../feedback/copy.ts'
import { useKitText } from '../text.ts'

/** Takes along what is shown once: copies it, and with a file name downloads it. */
export function KeepButtons({ text, fileName }: { text: string; fileName?: string | undefined }) {
  const t = useKitText()
  const copy = useCopy()
  const button = (label: string, icon: React.ReactNode, run: () => void) => (
    <Button type="text" size="small" aria-label={label} title={label} icon={icon} onClick={run} />
  )
  return (
    <>
      {button(t('copy'), <CopyOutlined aria-hidden />, () => void copy(text))}
      {fileName !== undefined &&
        button(t('download'), <DownloadOutlined aria-hidden />, () => save(text, fileName))}
    </>
  )
}

function save(text: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
