import type { en as auditMessages } from '@sallyport/contract/messages/console/audit'
import type { en as consoleMessages } from '@sallyport/contract/messages/console/console'
import type { en as profileMessages } from '@sallyport/contract/messages/console/profile'
import type { en as settingsMessages } from '@sallyport/contract/messages/console/settings'
import type { en as shellMessages } from '@sallyport/contract/messages/console/shell'
import type { en as signInMessages } from '@sallyport/contract/messages/console/sign-in'
import type { en as ticketsMessages } from '@sallyport/contract/messages/console/tickets'
import type { en as workbenchMessages } from '@sallyport/contract/messages/console/workbench'
import type { en as kitMessages } from '@sallyport/contract/messages/kit'
import type { en as lunaMessages } from '@sallyport/contract/messages/luna'
import type { en as transferMessages } from '@sallyport/contract/messages/transfer'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell'
    keySeparator: false
  }
  /** Each namespace of the console names its catalogue here; a view's is called like its folder. */
  interface ResourceNamespaceMap {
    shell: typeof shellMessages
    'sign-in': typeof signInMessages
    console: typeof consoleMessages
    audit: typeof auditMessages
    workbench: typeof workbenchMessages
    tickets: typeof ticketsMessages
    settings: typeof settingsMessages
    profile: typeof profileMessages
    kit: typeof kitMessages
    luna: typeof lunaMessages
    transfer: typeof transferMessages
  }
}
