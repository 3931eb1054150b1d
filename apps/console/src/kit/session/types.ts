export type { OfferedOrg as Organization, Profile } from '@sallyport/contract/resources/users'
export type { InterfaceSettings, OpenSettings, PublicSettings } from '@sallyport/contract/resources/settings'
