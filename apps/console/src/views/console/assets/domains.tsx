import { Domain, Gateway } from '@sallyport/contract/resources/assets'
import type { Action } from '../../../kit/actions/action.ts'
import { facts, related } from '../../../kit/detail/parts.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { assetField, zoneAssetSource } from '../sources.ts'
import { assetCells } from './asset-cells.tsx'
import { gatewaysTab } from './gateways.tsx'

const GatewayTestDialog = lazyPart(() => import('./gateway-test-dialog.tsx'))

/** Whether it can be signed in to and leads on. */
const test: Action<Gateway> = {
  name: 'test',
  title: 'testConnection',
  permission: 'assets.test_assetconnectivity',
  hidden: ({ inRoot }) => inRoot,
  when: ({ protocols }) => protocols.some(({ name }) => name === 'ssh'),
  dialog: (gateway, close) => <GatewayTestDialog gateway={gateway} onClose={close} />,
}

/** The gateways of a domain; they are added and changed here. */
const gateways = related(Gateway, {
  by: 'domain',
  exclude: ['info', 'spec_info', 'auto_info', 'accounts', 'domain', 'platform', 'category', 'type', 'id'],
  defaultColumns: ['name', 'address', 'protocols', 'nodes_display', 'connectivity', 'comment'],
  minColumns: ['name'],
  searchExclude: ['id', 'domain', 'platform', 'category', 'type'],
  cells: assetCells,
  can: { import: true },
  rowActions: [test],
  detailTo: ({ id }) => `/console/assets/assets/${id}`,
  of: ({ id }: Domain) => ({ base: `/console/assets/gateways?domain=${id}` }),
})

/** Network zones that are reached through gateways of their own. */
export default screens(Domain, {
  help: 'console:domainHelp',
  list: {
    columns: ['name', 'asset_count', 'gateway_count', 'comment', 'date_created'],
    unread: ['assets', 'gateways'],
    defaultColumns: ['name', 'asset_count', 'gateway_count', 'comment'],
    minColumns: ['name'],
    searchExclude: ['id'],
    cells: {
      gateway_count: {
        render: ({ id, gateway_count: count }) => (
          <Link to={`/console/assets/domains/${id}?activeTab=${gatewaysTab}`}>{count}</Link>
        ),
      },
    },
  },
  form: {
    groups: [['basic', ['name', 'assets', 'comment']]],
    fields: {
      assets: { ...assetField, relation: zoneAssetSource, initial: [], help: 'console:gatewayAssetsHelp' },
    },
  },
  detail: {
    tabs: [
      {
        name: 'Detail',
        title: 'basicInformation',
        main: facts(Domain, {
          fields: ['name', 'asset_count', 'gateway_count', 'date_created', 'comment'],
        }),
      },
      { name: gatewaysTab, title: 'gateways', main: gateways },
    ],
  },
})
