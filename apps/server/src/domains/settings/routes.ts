/** What the console needs to know before anything else (settings.md, public settings). */
import {
  type InterfaceSettings,
  type Language,
  passwordRuleNames,
  publicSettingNames,
  type SettingName,
  type SettingValues,
} from '@sallyport/contract'
import { route, type Route } from '../../kernel/http/route.ts'

/** A fresh install holds the built-in test licence. */
const licence = { isValid: true, info: { corporation: 'license for test' } }

const titles: Record<Language, string> = {
  en: 'Sallyport privileged access',
  zh: 'Sallyport 特权访问',
  ja: 'Sallyport 特権アクセス',
}
/** Without pictures the console shows its own. */
const interfaceOf = (language: Language): InterfaceSettings => ({
  logo_logout: '',
  logo_index: '',
  login_image: '',
  favicon: '',
  login_title: titles[language],
  theme: 'classic_green',
  theme_info: {},
})
const openTo = (language: Language) => ({ XPACK_ENABLED: true, INTERFACE: interfaceOf(language) })

const pick = (values: SettingValues, names: readonly SettingName[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

/** What the licence says and how much of it is used; `asset_count` null: without limit. */
export type LicenceUse = () => Promise<number>

export const routesOf = (assetsInUse: LicenceUse): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/xpack/license/detail/',
    access: { permission: 'settings.change_license' },
    handler: async () => ({
      corporation: licence.info.corporation,
      date_expired: '',
      asset_count: null,
      current_asset_count: await assetsInUse(),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/settings/public/open/',
    access: 'public',
    handler: (ctx) => Promise.resolve(openTo(ctx.language)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/settings/public/',
    access: 'valid_user',
    handler: (ctx) => {
      const values = ctx.settings
      return Promise.resolve({
        ...openTo(ctx.language),
        ...pick(values, publicSettingNames),
        PASSWORD_RULE: pick(values, passwordRuleNames),
        SESSION_EXPIRE_AT_BROWSER_CLOSE: true,
        XPACK_LICENSE_IS_VALID: licence.isValid,
        XPACK_LICENSE_INFO: licence.info,
      })
    },
  }),
]
