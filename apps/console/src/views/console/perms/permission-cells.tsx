import { Popover } from 'antd'
import { Link } from 'react-router'
import type { Row } from '../../../kit/api/resource.ts'
import type { ColumnSpec } from '../../../kit/list/columns.ts'
import { relatedItems } from '../../../kit/relation/relation.ts'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { accountsOf } from './account-choice.tsx'
import { accountText } from './account-text.ts'
import styles from './perms.module.css'

export const permissionListAddress = '/console/perms/asset-permissions'
const paths = screenPaths(permissionListAddress)

const countedTabs = {
  users: 'AssetPermissionUser',
  user_groups: 'AssetPermissionUser',
  assets: 'AssetPermissionAsset',
  nodes: 'AssetPermissionAsset',
  accounts: 'AssetPermissionAccount',
} as const

/** How many there are; the names on pointing at it, and the tab about them behind it. */
function Counted({ row, field }: { row: Row; field: keyof typeof countedTabs }) {
  const text = useMessages()
  const names =
    field === 'accounts'
      ? accountsOf(row['accounts']).map((account) => accountText(account, text))
      : relatedItems(row[field]).map(({ id, label }) => label ?? String(id))
  const link = (
    <Link to={`${paths.detail(row.id)}?activeTab=${countedTabs[field]}`} className={styles.count}>
      {names.length}
    </Link>
  )
  return names.length === 0 ? link : <Popover content={names.join(', ')}>{link}</Popover>
}

/** How permissions look in every list of them. */
export const permissionCells: Record<string, ColumnSpec> = Object.fromEntries([
  ...(Object.keys(countedTabs) as (keyof typeof countedTabs)[]).map((field): [string, ColumnSpec] => [
    field,
    { widthPx: 90, align: 'center', render: (row) => <Counted row={row} field={field} /> },
  ]),
  ['action', { label: 'permittedActions', render: (row: Row) => <ActionNames row={row} /> }],
])

function ActionNames({ row }: { row: Row }) {
  return plainValue(row['actions'], useKitText())
}
