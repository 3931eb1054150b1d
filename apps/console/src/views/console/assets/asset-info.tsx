import { Asset, Host } from '@sallyport/contract/resources/assets'
import { useAccess } from '../../../kit/access/access.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Card, Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { RelationCard } from '../../../kit/detail/relation-card.tsx'
import { useChange } from '../../../kit/detail/use-change.ts'
import { nodeSource } from '../sources.ts'
import { useMessages } from '../../../kit/text.ts'
import { labelTags, protocolTags } from './asset-cells.tsx'
import styles from './assets.module.css'

const shown = [
  'name',
  'category',
  'type',
  'address',
  'protocols',
  'domain',
  'platform',
  'is_active',
  'date_created',
  'created_by',
  'comment',
] as const

/** An asset: what it is, whether it can be used, and where it stands in the tree. */
export default function AssetInfo({ row }: { row: Asset }) {
  const text = useMessages()
  const access = useAccess()
  const forbidden = access.inRoot || !access.canDo('change', Asset)
  const change = useChange(Asset)
  const setNodes = (next: (ids: string[]) => unknown[]) =>
    change(row.id, (now) => ({ nodes: next(now.nodes.map(({ id }) => id)).map((pk) => ({ pk })) }))
  return (
    <Columns
      main={
        <>
          <DetailCard
            row={row}
            path={listPath(Asset.path)}
            fields={shown}
            values={{ protocols: () => protocolTags(row.protocols) }}
          />
          <HardwareCard info={row.info} />
        </>
      }
      side={
        <>
          <QuickActions resource={Asset} row={row} toggles={[{ field: 'is_active', title: 'activate' }]} />
          <RelationCard
            title={text('nodes')}
            source={nodeSource}
            value={row.nodes.map(({ id }) => id)}
            disabled={forbidden}
            add={(ids) => setNodes((nodes) => [...new Set([...nodes, ...ids])])}
            remove={(id) => setNodes((nodes) => nodes.filter((other) => other !== id))}
          />
          <Card title={text('labels')}>{labelTags(row.labels)}</Card>
        </>
      }
    />
  )
}

function HardwareCard({ info }: { info: unknown }) {
  const text = useMessages()
  const metas = useMetadata(listPath(Host.path)).data?.actions?.GET?.['info']?.children ?? {}
  const facts = isRecord(info) ? Object.entries(info).filter(([, value]) => value) : []
  return (
    facts.length > 0 && (
      <Card title={text('hardware')}>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
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
