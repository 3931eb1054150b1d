import { CommandGroup } from '@sallyport/contract/resources/command-filters'
import { facts } from '../../../kit/detail/parts.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { CommandGroups } from './command-rules.tsx'

const CommandContent = lazyPart(() => import('./command-content.tsx'))

/** Commands that rules are about. */
export default screens(CommandGroup, {
  page: CommandGroups,
  form: {
    groups: [['basic', ['name', 'type', 'content', 'ignore_case', 'comment']]],
    fields: { content: { widget: CommandContent } },
  },
  detail: {
    tabs: [{ name: 'Detail', title: 'basicInformation', main: facts(CommandGroup) }],
  },
})
