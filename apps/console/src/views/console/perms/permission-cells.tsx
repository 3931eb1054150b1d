import type { AssetPermission } from '@sallyport/contract/resources/perms'
import { Popover } from 'antd'
import { useState } from 'react'
import { relatedItems } from '../../../kit/relation/relation.ts'
import { statusOf } from '../../../kit/list/cells.tsx'
import { StatusTag } from '../../../kit/status/status-tag.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { accountText } from '../../../asset-words/account-text.tsx'
import { plainValue } from '../../../kit/values/plain-value.ts'
import styles from './perms.module.css'
import { Link } from '../../../kit/routes/navigation.tsx'

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
function Counted({ row, field }: { row: AssetPermission; field: keyof typeof countedTabs }) {
  const text = useMessages()
  const names =
    field === 'accounts'
      ? row.accounts.map((account) => accountText(account, text))
      : relatedItems(row[field]).map(({ id, label }) => label ?? String(id))
  const link = (
    <Link to={`${paths.detail(row.id)}?activeTab=${countedTabs[field]}`} className={styles.count}>
      {names.length}
    </Link>
  )
  return names.length === 0 ? link : <Popover content={names.join(', ')}>{link}</Popover>
}

const counted = (field: keyof typeof countedTabs) =>
  ({
    widthPx: 72,
    align: 'center',
    render: (row: AssetPermission) => <Counted row={row} field={field} />,
  }) as const

type Valid = Pick<
  AssetPermission,
  | 'is_active'
  | 'is_valid'
  | 'date_start'
  | 'date_expired'
  | 'users'
  | 'user_groups'
  | 'assets'
  | 'nodes'
  | 'actions'
>

/** Names somebody, something, and what may be done with it; `is_effective` asks for the same. */
const hasEffect = ({ users, user_groups: groups, assets, nodes, actions }: Valid) =>
  users.length + groups.length > 0 && assets.length + nodes.length > 0 && actions.length > 0

/** Whether a permission holds now, and why where it does not. */
export function Validity({ row }: { row: Valid }) {
  const t = useKitText()
  const text = useMessages()
  const [now] = useState(() => Date.now())
  if (!row.is_active) return statusOf('is_active', false, t)
  if (row.date_start && Date.parse(row.date_start) > now)
    return <StatusTag tone="warning">{text('console:notBegun')}</StatusTag>
  if (row.date_expired && Date.parse(row.date_expired) <= now)
    return <StatusTag tone="neutral">{text('console:hasEnded')}</StatusTag>
  if (row.is_valid && !hasEffect(row)) return <StatusTag tone="warning">{text('console:noEffect')}</StatusTag>
  return statusOf('is_valid', row.is_valid, t)
}

/** How permissions look in every list of them. */
export const permissionCells = {
  users: counted('users'),
  user_groups: counted('user_groups'),
  assets: counted('assets'),
  nodes: counted('nodes'),
  accounts: counted('accounts'),
  is_valid: { render: (row: Valid) => <Validity row={row} /> },
} as const

/** Not called `actions`, as a table calls what can be done with a row. */
export const permissionColumns = {
  action: { label: 'console:permittedActions', render: (row: AssetPermission) => <ActionNames row={row} /> },
} as const

/** The permissions that have to do with a person or another row, in a tab about it. */
export const permissionsOfOthers = {
  base: permissionListAddress,
  can: { create: false, clone: false, bulkRemove: false },
  exclude: ['id'],
  defaultColumns: ['name', 'users', 'user_groups', 'assets', 'nodes', 'accounts', 'is_valid'],
  minColumns: ['name'],
  searchExclude: ['id'],
  cells: permissionCells,
  extra: permissionColumns,
} as const

function ActionNames({ row }: { row: AssetPermission }) {
  return plainValue(row.actions, useKitText())
}
