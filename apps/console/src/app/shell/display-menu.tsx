import { GlobalOutlined } from '@ant-design/icons'
import { languages } from '@sallyport/contract/messages/language'
import type { Language } from '@sallyport/contract/messages/language'
import { Profile } from '@sallyport/contract/resources/users'
import { useSyncExternalStore } from 'react'
import { currentLanguage, languageNames, switchLanguage } from '../../i18n/index.ts'
import { api } from '../../kit/api/client.ts'
import { pathOfOne } from '../../kit/api/one.ts'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { useMessages } from '../../kit/text.ts'
import { setThemeMode, subscribeToMode, themeMode, themeModes, type ThemeMode } from '../../kit/theme/mode.ts'
import styles from './header.module.css'

const themeLabels = {
  system: 'themeSystem',
  light: 'themeLight',
  dark: 'themeDark',
} as const satisfies Record<ThemeMode, string>

/** For this browser, and for the mail this person gets. */
async function chooseLanguage(language: Language): Promise<void> {
  try {
    await api.patch(pathOfOne(Profile), { language })
  } catch {
    // The page is read in it all the same.
  }
  switchLanguage(language)
}

/** Language and light or dark. */
export function DisplayMenu() {
  const t = useMessages()
  const mode = useSyncExternalStore(subscribeToMode, themeMode)
  const label = `${t('kit:language')} / ${t('theme')}`
  const language = currentLanguage()
  return (
    <MenuButton
      label={label}
      title={label}
      className={styles.tool}
      entries={[
        ...languages.map((one) => ({
          key: one,
          label: languageNames[one],
          current: one === language,
          onSelect: () => {
            if (one !== language) void chooseLanguage(one)
          },
        })),
        'divider',
        ...themeModes.map((one) => ({
          key: one,
          label: t(themeLabels[one]),
          current: one === mode,
          onSelect: () => setThemeMode(one),
        })),
      ]}
    >
      <GlobalOutlined />
    </MenuButton>
  )
}
