import {
  defaultSettings,
  InterfaceSetting,
  type InterfaceSettings,
  type Language,
  languages,
  ownPictures,
  serverTexts,
  type SettingValues,
  themeColors,
  type ThemeName,
  translate,
} from '@sallyport/contract'
import { invalid } from '../../kernel/errors.ts'
import { serveOne, type ServedOne } from '../../kernel/resource/singleton.ts'
import { dropPicturesBut, keepPicture, pictureAddress } from './pictures.ts'
import type { Settings } from './service.ts'

const titles: Record<Language, string> = {
  en: 'Sallyport privileged access',
  zh: 'Sallyport 特权访问',
  ja: 'Sallyport 特権アクセス',
}
const pictureNames = Object.keys(ownPictures) as (keyof typeof ownPictures)[]

type Set = SettingValues['INTERFACE']
const themeOf = ({ theme }: Set): ThemeName =>
  Object.hasOwn(themeColors, theme) ? (theme as ThemeName) : 'classic_green'

const addressesOf = (set: Set) =>
  Object.fromEntries(
    pictureNames.map((name) => [name, set[name] ? pictureAddress(set[name]) : ownPictures[name]]),
  ) as Record<keyof typeof ownPictures, string>

/** What pages look like under these settings. */
export function interfaceOf(
  { INTERFACE: set }: Readonly<SettingValues>,
  language: Language,
): InterfaceSettings {
  const theme = themeOf(set)
  const colors = themeColors[theme]
  return {
    ...addressesOf(set),
    login_title: set.login_title || titles[language],
    theme,
    theme_info: Object.keys(colors).length > 0 ? { colors } : {},
  }
}

export const interfaceServed = (settings: Settings): ServedOne =>
  serveOne(InterfaceSetting, {
    read: async (ctx, options) => {
      const { INTERFACE: set } = await settings.stored(ctx.db, options)
      const login_title = set.login_title || titles[ctx.language]
      return { ...addressesOf(set), login_title, theme: themeOf(set) }
    },
    store: async (ctx, { input }) => {
      const { INTERFACE: before } = await settings.stored(ctx.db, { lock: false })
      const set: Set = { ...before }
      const { login_title: title, theme } = input as { login_title?: string; theme?: ThemeName }
      // Who sends ours back sets none, so that everybody goes on reading theirs.
      if (title !== undefined) set.login_title = languages.some((one) => titles[one] === title) ? '' : title
      if (theme !== undefined) set.theme = theme
      for (const name of pictureNames) {
        const sent = input[name]
        if (!(sent instanceof File)) continue
        const file = await keepPicture(ctx.db, new Uint8Array(await sent.arrayBuffer()))
        if (file === undefined) throw invalid(name, 'not_picture')
        set[name] = file
      }
      await keep(settings, ctx.db, set)
    },
    calls: {
      restore: async (ctx) => {
        await keep(settings, ctx.db, defaultSettings.INTERFACE)
        return { success: translate(serverTexts, ctx.language, 'interface_restored') }
      },
      themes: () =>
        Promise.resolve(
          Object.entries(themeColors).map(([name, colors]) => ({ name: name as ThemeName, colors })),
        ),
    },
  })

async function keep(settings: Settings, executor: Parameters<Settings['store']>[0], set: Set): Promise<void> {
  await settings.store(executor, { INTERFACE: set })
  await dropPicturesBut(
    executor,
    pictureNames.map((name) => set[name]),
  )
}
