import { Host } from '@sallyport/contract/resources/assets'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Card } from '../../../kit/detail/card.tsx'
import { useMessages } from '../../../kit/text.ts'
import styles from './assets.module.css'

/** What is known of a host's hardware; nothing where nothing is. */
export default function HardwareCard({ info }: { info: unknown }) {
  const text = useMessages()
  const metas = useMetadata(listPath(Host.path)).data?.actions?.GET?.['info']?.children ?? {}
  const known = isRecord(info) ? Object.entries(info).filter(([, value]) => value) : []
  return (
    known.length > 0 && (
      <Card title={text('hardware')}>
        <dl className={styles.facts}>
          {known.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{metas[name]?.label ?? name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      </Card>
    )
  )
}
