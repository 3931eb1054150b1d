import { Platform } from '@sallyport/contract/resources/platforms'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import Notice from '../../../kit/feedback/notice.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import styles from './assets.module.css'
import type { PlatformProtocol } from './platform.ts'
import { settingsOf } from './setting-names.ts'

/** How a platform has its assets reached by a protocol; changed there, for all of them. */
export default function ProtocolSettings({
  platform,
  protocol,
  onClose,
}: {
  platform: Pick<Platform, 'id' | 'name'>
  protocol: PlatformProtocol
  onClose: () => void
}) {
  const t = useKitText()
  const text = useMessages()
  const metas = useMetadata(listPath(Platform.path)).data?.actions?.GET?.['protocols']?.child?.children ?? {}
  const own: Record<string, unknown> = isRecord(protocol.setting) ? protocol.setting : {}
  const facts = [
    { label: text('console:protocolRequired'), value: protocol.required },
    { label: text('console:protocolDefault'), value: protocol.default },
    ...(settingsOf[protocol.name] ?? []).map((name) => {
      const meta = metas['setting']?.children?.[name]
      const value = own[name]
      return {
        label: meta?.label ?? name,
        value: meta?.choices?.find((choice) => choice.value === value) ?? value,
      }
    }),
  ]
  return (
    <Dialog
      title={text('console:protocolSettings', { name: protocol.name })}
      footer={null}
      onCancel={onClose}
    >
      <Notice action={<Link to={`/console/assets/platforms/${platform.id}`}>{platform.name}</Link>}>
        {text('console:settingsOfPlatform')}
      </Notice>
      <dl className={styles.facts}>
        {facts.map(({ label, value }) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>{plainValue(value, t)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
