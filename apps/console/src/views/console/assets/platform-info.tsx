import { Platform } from '@sallyport/contract/resources/assets'
import { listPath } from '../../../kit/api/resource.ts'
import { Card, Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { useMessages } from '../../../kit/text.ts'
import { protocolTags } from './asset-cells.tsx'

/** A platform: what its assets are and can do. Those that come with the product stay as they are. */
export default function PlatformInfo({ row }: { row: Platform }) {
  const text = useMessages()
  return (
    <Columns
      main={
        <>
          <DetailCard
            row={row}
            path={listPath(Platform.path)}
            fields={[
              'name',
              'charset',
              'category',
              'type',
              'internal',
              'su_enabled',
              'su_method',
              'date_created',
              'comment',
            ]}
          />
          <Card title={text('protocols')}>{protocolTags(row.protocols)}</Card>
        </>
      }
      side={
        <QuickActions
          resource={Platform}
          row={row}
          toggles={[{ field: 'domain_enabled', title: 'enableDomain', when: ({ internal }) => !internal }]}
        />
      }
    />
  )
}
