import type { en as consoleMessages } from '@sallyport/contract/messages/console'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'console'
    keySeparator: false
  }
  /** Each namespace of the console names its catalogue here. */
  interface ResourceNamespaceMap {
    console: typeof consoleMessages
  }
}
