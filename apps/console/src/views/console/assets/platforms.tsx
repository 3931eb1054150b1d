import type { AssetCategory } from '@sallyport/contract/resources/categories'
import { Platform } from '@sallyport/contract/resources/platforms'
import { DownOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useAccess } from '../../../kit/access/access.ts'
import { pageOf } from '../../../kit/api/resource.ts'
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
import { automationNames } from './platform-automation.ts'
import { platformForm } from './platform-form.ts'
import { automates, kindOf } from './platform-kind.ts'
import type { PlatformPart, PlatformPartTitle } from './platform-part-dialog.tsx'
import { useCategories } from './use-categories.ts'

const AutomationFacts = lazyPart(() => import('./automation-facts.tsx'))
const PlatformPartDialog = lazyPart(() => import('./platform-part-dialog.tsx'))

const paths = screenPaths('/console/assets/platforms')
const isOwn = (platform: Platform) => !platform.internal
const partDialog = (title: PlatformPartTitle, fields: PlatformPart) =>
  function Part(platform: Platform, close: () => void) {
    return <PlatformPartDialog title={title} fields={fields} platform={platform} onClose={close} />
  }

/** Platforms, a tab for each category of asset. */
function PlatformList() {
  const t = useKitText()
  const categories = useCategories()
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

export default screens(Platform, {
  page: PlatformList,
  form: platformForm,
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
          card('console:protocols', (row) => protocolTags(row.protocols)),
        ],
        side: quick(Platform, {
          toggles: [
            {
              field: 'domain_enabled',
              title: 'console:enableDomain',
              when: (platform) => isOwn(platform) && kindOf(platform)?.domain_enabled === true,
            },
          ],
          actions: [
            {
              name: 'protocols',
              title: 'console:protocols',
              label: 'kit:update',
              permission: 'assets.change_platform',
              when: isOwn,
              dialog: partDialog('console:protocols', ['protocols']),
            },
            {
              name: 'switching',
              title: 'console:enableSwitching',
              label: 'kit:update',
              permission: 'assets.change_platform',
              when: (platform) => isOwn(platform) && kindOf(platform)?.su_enabled === true,
              dialog: partDialog('console:enableSwitching', ['su_enabled', 'su_method']),
            },
          ],
        }),
      },
      {
        name: 'Automation',
        title: 'console:automation',
        main: card('console:automation', (platform) => <AutomationFacts platform={platform} />),
        side: quick(Platform, {
          actions: [
            {
              name: 'automation',
              title: 'console:automation',
              label: 'kit:update',
              permission: 'assets.change_platform',
              when: (platform) => isOwn(platform) && automates(platform, 'ansible'),
              dialog: partDialog('console:automation', automationNames),
            },
          ],
        }),
      },
    ],
    can: { update: isOwn, remove: isOwn },
  },
})
