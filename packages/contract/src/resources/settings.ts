import { boolean, computed, type Field, value } from '../resource/field.ts'
import type { RowOf } from '../resource/resource.ts'
import { singleton } from '../resource/singleton.ts'
import {
  type passwordRuleNames,
  publicSettingNames,
  type SettingName,
  settings,
  type SettingValues,
} from '../settings.ts'

/** Texts and pictures of the sign-in page and the header. */
export interface InterfaceSettings {
  logo_logout: string
  logo_index: string
  login_image: string
  favicon: string
  login_title: string
  theme: string
  theme_info: { colors?: Record<string, string> }
}

const open = { XPACK_ENABLED: computed(boolean()), INTERFACE: value<InterfaceSettings>() }

/** Settings as fields that are read only. */
type Shown<N extends SettingName> = {
  [K in N]: Field<SettingValues[K], SettingValues[K], { readOnly: true }>
}
const shown = <const N extends SettingName>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, computed(settings[name].field)])) as unknown as Shown<N>

/** What anybody may know. */
export const OpenSettings = singleton({
  app: 'settings',
  model: 'opensettings',
  path: 'settings/public/open',
  access: { read: 'public' },
  fields: open,
})
export type OpenSettings = RowOf<typeof OpenSettings>

/** What everybody signed in may know: what the console starts with. */
export const PublicSettings = singleton({
  app: 'settings',
  model: 'publicsettings',
  path: 'settings/public',
  access: { read: 'valid_user' },
  fields: {
    ...open,
    ...shown(publicSettingNames),
    PASSWORD_RULE: value<Pick<SettingValues, (typeof passwordRuleNames)[number]>>(),
    SESSION_EXPIRE_AT_BROWSER_CLOSE: computed(boolean()),
    /** Ours: whether mail can be sent, so that forms do not offer what comes by mail in vain. */
    EMAIL_ENABLED: computed(boolean()),
    XPACK_LICENSE_IS_VALID: computed(boolean()),
    XPACK_LICENSE_INFO: value<{ corporation: string }>(),
  },
})
export type PublicSettings = RowOf<typeof PublicSettings>
