import { GlobalOutlined } from '@ant-design/icons'
import { languages, type Language } from '@sallyport/contract/messages/language'
import { Dropdown } from 'antd'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, languageNames, switchLanguage } from '../../i18n/index.ts'
import { setThemeMode, subscribeToMode, themeMode, themeModes, type ThemeMode } from '../theme/mode.ts'
import styles from './header.module.css'

const themeLabels = {
  system: 'themeSystem',
  light: 'themeLight',
  dark: 'themeDark',
} as const satisfies Record<ThemeMode, string>

/** Language and light or dark. */
export function DisplayMenu() {
  const { t } = useTranslation()
  const mode = useSyncExternalStore(subscribeToMode, themeMode)
  const choose = (key: string) => {
    const language = languages.find((one) => key === `language:${one}`)
    const theme = themeModes.find((one) => key === `theme:${one}`)
    if (language !== undefined && language !== currentLanguage()) switchLanguage(language)
    if (theme !== undefined) setThemeMode(theme)
  }
  const languageItem = (language: Language) => ({
    key: `language:${language}`,
    label: <span lang={language}>{languageNames[language]}</span>,
  })
  const label = `${t('language')} / ${t('theme')}`
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        multiple: true,
        selectedKeys: [`language:${currentLanguage()}`, `theme:${mode}`],
        onClick: ({ key }) => choose(key),
        items: [
          { type: 'group', label: t('language'), children: languages.map(languageItem) },
          {
            type: 'group',
            label: t('theme'),
            children: themeModes.map((one) => ({ key: `theme:${one}`, label: t(themeLabels[one]) })),
          },
        ],
      }}
    >
      <button type="button" className={styles.tool} aria-label={label} title={label}>
        <GlobalOutlined />
      </button>
    </Dropdown>
  )
}
