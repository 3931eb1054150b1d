import { Account } from '@sallyport/contract/resources/accounts'
import { listPath } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { viewSecret } from './account-actions.tsx'
import { AssetLink } from './accounts-table.tsx'

const values = { asset: ({ asset }: Account) => <AssetLink asset={asset} /> }

/** An account, and what can be done with it at once. */
export default function AccountInfo({ row }: { row: Account }) {
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(Account.path)}
          fields={[
            'id',
            'name',
            'username',
            'secret_type',
            'has_secret',
            'asset',
            'su_from',
            'source',
            'version',
            'is_active',
            'created_by',
            'date_created',
            'date_updated',
            'comment',
          ]}
          values={values}
        />
      }
      side={
        <QuickActions
          resource={Account}
          row={row}
          toggles={[
            { field: 'is_active', title: 'activate' },
            { field: 'privileged', title: 'privileged' },
          ]}
          actions={[viewSecret]}
        />
      }
    />
  )
}
