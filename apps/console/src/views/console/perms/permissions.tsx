import { accountAliases } from '@sallyport/contract/resources/accounts'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { permissionActions } from '@sallyport/contract/resources/permission-actions'
import dayjs from 'dayjs'
import { type ReactNode, useMemo } from 'react'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useLocation, useSearchParams } from 'react-router'
import { sendDate } from '../../../kit/dates/dates.ts'
import { assetField, groupSource, nodeSource, userSource } from '../sources.ts'
import { bulkUpdateOf } from '../../../kit/form/bulk-update.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { useMessages } from '../../../kit/text.ts'
import { accountText } from '../../../asset-words/account-text.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { type ListDeclaration, screens } from '../../../kit/screens/screens.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { AssetTree } from '../assets/asset-tree.tsx'
import { permissionCells, permissionColumns, permissionListAddress } from './permission-cells.tsx'
import { someNamed } from './named-accounts.ts'
import { permissionTabs } from './permission-tabs.tsx'
import { useGo } from '../../../kit/routes/navigation.tsx'

const AccountChoiceField = lazyPart(() => import('./account-choice.tsx'))

const paths = screenPaths(permissionListAddress)
const lastsDays = 36_500

function BesideTree({ children }: { children: ReactNode }) {
  return <TreeTable tree={<AssetTree withAssets />}>{children}</TreeTable>
}

/** Creating a permission for what is chosen in the tree. */
function useCreate() {
  const go = useGo()
  const { pathname, search } = useLocation()
  const [params] = useSearchParams()
  return () => {
    const chosen = new URLSearchParams()
    for (const key of ['node_id', 'asset_id']) {
      const id = params.get(key)
      if (id) chosen.set(key, id)
    }
    void go(`${paths.create}?${chosen}`, { state: { backTo: pathname + search } })
  }
}

function usePermissionList(): ListDeclaration<typeof AssetPermission, 'action'> {
  return {
    frame: BesideTree,
    onCreate: useCreate(),
    exclude: ['id'],
    defaultColumns: ['name', 'users', 'user_groups', 'assets', 'nodes', 'accounts', 'is_valid'],
    minColumns: ['name'],
    searchExclude: ['id', 'is_valid', 'from_ticket'],
    searchFields: [
      { name: 'username', label: 'kit:username' },
      { name: 'user_group', label: 'userGroups' },
      { name: 'asset_name', label: 'console:assetName' },
      { name: 'address', label: 'console:address' },
      { name: 'is_valid', label: 'kit:validity', yesNo: true },
      { name: 'is_effective', label: 'console:effective', yesNo: true },
      { name: 'from_ticket', label: 'console:fromTicket', yesNo: true },
    ],
    cells: permissionCells,
    extra: permissionColumns,
    bulkUpdate,
  }
}

const fields = {
  users: { relation: userSource },
  user_groups: { relation: groupSource },
  assets: assetField,
  nodes: { relation: nodeSource },
  accounts: { widget: AccountChoiceField, required: true, rules: [someNamed] },
  actions: { help: 'console:actionsHelp', required: true },
  date_start: { required: true },
  date_expired: { required: true },
} as const

const bulkUpdate = bulkUpdateOf(AssetPermission, {
  fields: [
    'users',
    'user_groups',
    'assets',
    'nodes',
    'accounts',
    'actions',
    'is_active',
    'date_start',
    'date_expired',
  ],
  specs: fields,
})

/** Who may use what. What its accounts stand for is told in words, where two people changed it at once, too. */
function usePermissionForm() {
  const text = useMessages()
  return useMemo(() => {
    const choices = Object.values(accountAliases).map((value) => ({ value, label: accountText(value, text) }))
    return resourceForm(AssetPermission, {
      groups: [
        ['basic', ['name']],
        ['console:usersGroup', ['users', 'user_groups']],
        ['console:assetsGroup', ['assets', 'nodes']],
        ['accountGroup', ['accounts']],
        ['console:actionsGroup', ['actions']],
        ['other', ['is_active', 'date_start', 'date_expired', 'comment']],
      ],
      fields: { ...fields, accounts: { ...fields.accounts, choices } },
      presets: (search) => ({
        initial: {
          users: [],
          user_groups: [],
          assets: search.getAll('asset_id'),
          nodes: search.getAll('node_id'),
          accounts: ['@ALL'],
          actions: Object.keys(permissionActions.bits),
          date_start: sendDate(dayjs()),
          date_expired: sendDate(dayjs().add(lastsDays, 'day')),
        },
      }),
      nextTo: ({ id }, updating) => (updating ? undefined : paths.detail(id)),
    })
  }, [text])
}

/** Who may use what, beside the tree of what there is. */
export default screens(AssetPermission, {
  list: usePermissionList,
  form: usePermissionForm,
  detail: {
    tabs: permissionTabs,
  },
})
