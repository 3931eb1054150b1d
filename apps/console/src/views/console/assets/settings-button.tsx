import { SettingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useMessages } from '../../../kit/text.ts'

/** Opens the settings of a protocol, at the end of its row. */
export function SettingsButton(props: { name: string; disabled?: boolean; onClick: () => void }) {
  const { name, disabled, onClick } = props
  const title = useMessages()('console:protocolSettings', { name })
  return (
    <Button
      type="text"
      icon={<SettingOutlined aria-hidden />}
      aria-label={title}
      title={title}
      disabled={disabled}
      onClick={onClick}
    />
  )
}
