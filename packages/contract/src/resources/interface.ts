import { answer, onOne } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import { picture, plainChoice, text } from '../resource/field.ts'
import type { RowOf } from '../resource/resource.ts'
import { singleton } from '../resource/singleton.ts'

/** The colours of each theme where they are not the console's own, by the names the console takes them by. */
export const themeColors = {
  classic_green: {},
  classic_blue: {
    '--color-primary': '#1f6fb5',
    '--banner-bg': '#174f80',
    '--menu-text-active': '#1f6fb5',
  },
  classic_purple: {
    '--color-primary': '#6c4fc2',
    '--banner-bg': '#4b3691',
    '--menu-text-active': '#6c4fc2',
  },
  graphite: {
    '--color-primary': '#3d5a73',
    '--banner-bg': '#2b3844',
    '--menu-bg': '#222c36',
    '--submenu-bg': '#1c252e',
    '--menu-text': '#c3ccd5',
    '--menu-text-active': '#7fb2e5',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>
export type ThemeName = keyof typeof themeColors
const themeNames = Object.keys(themeColors) as ThemeName[]
export const interfaceThemes = choices('interface_theme', themeNames)

export interface InterfaceTheme {
  name: ThemeName
  colors: Readonly<Record<string, string>>
}

const maxBytes = 1 << 20

/** What pages look like. A picture is sent to be another; one that is not sent stays. */
export const InterfaceSetting = singleton({
  app: 'xpack',
  model: 'interface',
  path: 'xpack/interface/setting',
  licensed: true,
  access: { read: 'settings.change_interface', update: 'settings.change_interface' },
  fields: {
    login_title: text({ max: 128, required: true }),
    theme: plainChoice(interfaceThemes, { required: true }),
    logo_index: picture({ maxBytes, help: 'logo_index' }),
    logo_logout: picture({ maxBytes, help: 'logo_logout' }),
    favicon: picture({ maxBytes, help: 'favicon' }),
    login_image: picture({ maxBytes, help: 'login_image' }),
  },
  calls: {
    /** Everything as it is without being set. */
    restore: onOne({
      method: 'PUT',
      path: 'restore',
      access: 'settings.change_interface',
      answer: answer.object({ success: text() }),
      records: 'update',
    }),
    themes: onOne({
      method: 'GET',
      path: 'themes',
      access: 'settings.change_interface',
      answer: answer.json<InterfaceTheme[]>(),
    }),
  },
})
export type InterfaceSetting = RowOf<typeof InterfaceSetting>
