export interface Organization {
  id: string
  name: string
  is_default: boolean
  is_root: boolean
}

/** GET users/profile/: what the console reads of it. */
export interface Profile {
  id: string
  name: string
  username: string
  email: string
  perms: string[]
  console_orgs: Organization[]
  audit_orgs: Organization[]
  workbench_orgs: Organization[]
  is_first_login: boolean
  source: { value: string; label: string }
  date_password_last_updated: string | null
  last_login: string | null
  avatar_url: string
  system_roles: { id: string; display_name: string }[]
  org_roles: { id: string; display_name: string; name: string }[]
  [field: string]: unknown
}

export interface InterfaceSettings {
  favicon: string
  login_title: string
  login_image: string
  logo_logout: string
  logo_index: string
  theme_info: { colors?: Record<string, string> }
}

/** GET settings/public/open/: what anybody may know. */
export interface OpenSettings {
  XPACK_ENABLED: boolean
  INTERFACE: InterfaceSettings
}

/** GET settings/public/: what everybody signed in may know. */
export interface PublicSettings extends OpenSettings {
  XPACK_LICENSE_IS_VALID: boolean
  XPACK_LICENSE_INFO: { corporation?: string }
  SECURITY_MFA_VERIFY_TTL: number
  SECURITY_PASSWORD_EXPIRATION_TIME: number
  SECURITY_COMMAND_EXECUTION: boolean
  TICKETS_ENABLED: boolean
  AUTH_TEMP_TOKEN: boolean
  HELP_DOCUMENT_URL: string
  HELP_SUPPORT_URL: string
  ANNOUNCEMENT_ENABLED: boolean
  ANNOUNCEMENT: { ID?: string; SUBJECT?: string; CONTENT?: string; LINK?: string }
  [name: string]: unknown
}
