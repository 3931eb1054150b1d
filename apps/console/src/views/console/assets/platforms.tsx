import { assetCategories, assetTypes } from '@sallyport/contract/assets/types'
import { AssetCategories, type AssetCategory } from '@sallyport/contract/resources/categories'
import { Platform } from '@sallyport/contract/resources/platforms'
import { DownOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useAccess } from '../../../kit/access/access.ts'
import { call } from '../../../kit/api/call.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { listPath, pageOf } from '../../../kit/api/resource.ts'
import { card, facts, quick } from '../../../kit/detail/parts.tsx'
import { describeError } from '../../../kit/feedback/errors.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useMenu } from '../../../kit/menu/menu.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { Tabs } from '../../../kit/tabs/tabs.tsx'
import { useKitText } from '../../../kit/text.ts'
import { useGo } from '../../../kit/routes/navigation.tsx'
import { protocolTags } from './asset-cells.tsx'

const PlatformProtocols = lazyPart(() => import('./platform-protocols.tsx'))

const paths = screenPaths('/console/assets/platforms')
const isOwn = (platform: Platform) => !platform.internal

/** Platforms, a tab for each category of asset. */
function PlatformList() {
  const t = useKitText()
  const categories = useQuery({
    queryKey: ['asset-categories'],
    queryFn: ({ signal }) => call(AssetCategories, 'list', {}, { signal }),
    staleTime: Infinity,
  })
  return (
    <Page>
      {categories.error && <p role="alert">{describeError(categories.error, t)}</p>}
      {categories.data && (
        <Tabs
          tabs={pageOf(categories.data).results.map((category) => ({
            name: category.value,
            title: category.label,
            content: <PlatformsOf category={category} />,
          }))}
        />
      )}
    </Page>
  )
}

function PlatformsOf({ category }: { category: AssetCategory }) {
  const t = useKitText()
  const go = useGo()
  const { canDo } = useAccess()
  const forbidden = !canDo('add', Platform)
  const createPath = (query: Record<string, string>) =>
    `${paths.create}?${new URLSearchParams({ category: category.value, ...query })}`
  const { trigger, menu } = useMenu({
    label: t('create'),
    entries: category.types.map(({ value, label }) => ({
      key: value,
      label,
      onSelect: () => void go(createPath({ type: value })),
    })),
  })
  return (
    <ResourceList
      resource={Platform}
      query={{ category: category.value }}
      can={{ create: false, clone: false, bulkRemove: false, update: isOwn, remove: isOwn }}
      headerActions={
        <>
          <Button type="primary" icon={<PlusOutlined aria-hidden />} disabled={forbidden} {...trigger}>
            {t('create')} <DownOutlined aria-hidden />
          </Button>
          {menu}
        </>
      }
      exclude={['automation', 'id']}
      defaultColumns={['name', 'category', 'type', 'internal', 'comment']}
      minColumns={['name']}
      searchExclude={['category']}
      rowActions={[
        {
          name: 'clone',
          title: 'kit:duplicate',
          order: 30,
          when: () => !forbidden,
          to: (platform) => createPath({ clone_from: String(platform.id) }),
        },
      ]}
    />
  )
}

/** The protocols of a copy are new ones; those of the platform it was copied from keep their ids. */
function withoutIds(protocols: unknown): unknown {
  return Array.isArray(protocols) ? protocols.filter(isRecord).map(({ id: _id, ...row }) => row) : protocols
}

export default screens(Platform, {
  page: PlatformList,
  form: {
    groups: [
      ['basic', ['name', 'category', 'type', 'charset', 'domain_enabled']],
      ['configGroup', ['protocols', 'su_enabled', 'su_method']],
      ['other', ['comment']],
    ],
    fields: {
      category: { disabled: true },
      type: { disabled: true },
      protocols: {
        widget: PlatformProtocols,
        columns: {
          name: {},
          port: {},
          required: { widget: 'checkbox', label: 'protocolRequired' },
          default: { widget: 'checkbox', label: 'protocolDefault' },
        },
        toSend: (protocols, { updating }) => (updating ? protocols : withoutIds(protocols)),
      },
      su_method: { hidden: (values) => values.su_enabled !== true },
    },
    presets: (search) => ({
      initial: {
        category: assetCategories.values.find((value) => value === search.get('category')),
        type: assetTypes.values.find((value) => value === search.get('type')),
        charset: 'utf-8',
      },
    }),
    describedBy: (values) =>
      values.category
        ? `${Platform.path}/?category=${values.category}&type=${values.type ?? ''}`
        : listPath(Platform.path),
  },
  detail: {
    tabs: [
      {
        name: 'Detail',
        title: 'basicInformation',
        main: [
          facts(Platform, {
            fields: [
              'name',
              'charset',
              'category',
              'type',
              'internal',
              'su_enabled',
              'su_method',
              'date_created',
              'comment',
            ],
          }),
          card('protocols', (row) => protocolTags(row.protocols)),
        ],
        side: quick(Platform, {
          toggles: [{ field: 'domain_enabled', title: 'enableDomain', when: isOwn }],
        }),
      },
    ],
    can: { update: isOwn, remove: isOwn },
  },
})
