import type { en as consoleMessages } from '@sallyport/contract/messages/console'
import type { en as kitMessages } from '@sallyport/contract/messages/kit'
import type { en as lunaMessages } from '@sallyport/contract/messages/luna'
import type { en as transferMessages } from '@sallyport/contract/messages/transfer'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console'
    keySeparator: false
  }
  /** Each namespace of the console names its catalogue here. */
  interface ResourceNamespaceMap {
    console: typeof consoleMessages
    kit: typeof kitMessages
    luna: typeof lunaMessages
    transfer: typeof transferMessages
  }
}
