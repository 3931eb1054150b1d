import { CommandFilterAcl, CommandGroup } from '@sallyport/contract/resources/command-filters'
import { useAccess } from '../../../kit/access/access.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Tabs, useShownTab } from '../../../kit/tabs/tabs.tsx'
import { useMessages } from '../../../kit/text.ts'
import { commandFiltersAddress, commandGroupsAddress } from './command-addresses.ts'
import { unlisted } from './rule-parts.ts'

const groupsTab = 'CommandGroup'
const shownMax = 120
const inOneLine = (content: string) => {
  const line = content.slice(0, shownMax).replaceAll(/\s*\n\s*/g, ', ')
  return content.length > shownMax ? `${line}…` : line
}

function Filters() {
  return (
    <ResourceList
      resource={CommandFilterAcl}
      base={commandFiltersAddress}
      can={{ import: false, export: false, bulkRemove: false }}
      exclude={[...unlisted, 'command_groups']}
      defaultColumns={['name', 'command_groups_amount', 'priority', 'action', 'is_active', 'comment']}
      minColumns={['name']}
    />
  )
}

function Groups() {
  return (
    <ResourceList
      resource={CommandGroup}
      base={commandGroupsAddress}
      can={{ import: false, export: false, bulkRemove: false }}
      exclude={['id']}
      defaultColumns={['name', 'type', 'content']}
      minColumns={['name']}
      cells={{ content: { render: ({ content }) => inOneLine(content) } }}
    />
  )
}

/** Command filters, and the groups of commands they are about: one page at two addresses, called as the tab it shows. */
function Rules({ own }: { own?: string }) {
  const text = useMessages()
  const { can } = useAccess()
  const tabs = [
    {
      name: 'CommandFilterACL',
      title: text('commandFilters'),
      hidden: !can('acls.view_commandfilteracl'),
      content: <Filters />,
    },
    {
      name: groupsTab,
      title: text('commandGroups'),
      hidden: !can('acls.view_commandgroup'),
      content: <Groups />,
    },
  ]
  const shown = useShownTab(tabs, own)
  return (
    <Page {...(shown && { title: shown.title })} help={text('console:commandFilterPromise')}>
      <Tabs tabs={tabs} own={own} />
    </Page>
  )
}

export const CommandFilters = () => <Rules />
export const CommandGroups = () => <Rules own={groupsTab} />
