/** What the console needs to know before anything else. */
import {
  OpenSettings,
  passwordRuleNames,
  publicSettingNames,
  PublicSettings,
  type SettingName,
  type SettingValues,
} from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import { serveOne, type ServedOne } from '../../kernel/resource/singleton.ts'
import { canMail } from './can-mail.ts'
import { interfaceOf } from './interface.ts'

const open = ({ language, settings }: Context) => ({
  XPACK_ENABLED: true,
  INTERFACE: interfaceOf(settings, language),
})

const pick = <N extends SettingName>(values: SettingValues, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<SettingValues, N>

/** Whom a valid licence names; undefined without one. */
export type LicensedTo = (ctx: Pick<Context, 'settings' | 'language'>) => string | undefined

export const singletons = (licensedTo: LicensedTo): readonly ServedOne[] => [
  serveOne(OpenSettings, { read: (ctx) => Promise.resolve(open(ctx)) }),
  serveOne(PublicSettings, {
    read: (ctx) =>
      Promise.resolve({
        ...open(ctx),
        ...pick(ctx.settings, publicSettingNames),
        PASSWORD_RULE: pick(ctx.settings, passwordRuleNames),
        SESSION_EXPIRE_AT_BROWSER_CLOSE: true,
        EMAIL_ENABLED: canMail(ctx),
        XPACK_LICENSE_IS_VALID: ctx.hasLicence,
        XPACK_LICENSE_INFO: { corporation: licensedTo(ctx) ?? 'Sallyport' },
      }),
  }),
]
