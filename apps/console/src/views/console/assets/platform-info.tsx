import { Platform } from '@sallyport/contract/resources/assets'
import { useAccess } from '../../../kit/access/access.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { Card, Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { useMessages } from '../../../kit/text.ts'
import { protocolTags } from './asset-cells.tsx'

/** A platform: what its assets are and can do. Those that come with the product stay as they are. */
export default function PlatformInfo({ row }: { row: Row }) {
  const text = useMessages()
  const access = useAccess()
  const save = useSave(Platform.path)
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
          <Card title={text('protocols')}>{protocolTags(row['protocols'])}</Card>
        </>
      }
      side={
        <QuickActions
          actions={[
            {
              type: 'switch',
              title: text('enableDomain'),
              checked: row['domain_enabled'] === true,
              disabled: row['internal'] === true || !access.canDo('change', Platform),
              run: (checked) =>
                save.mutateAsync({ id: row.id, method: 'PATCH', values: { domain_enabled: checked } }),
            },
          ]}
        />
      }
    />
  )
}
