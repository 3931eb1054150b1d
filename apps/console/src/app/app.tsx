import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import type { Locale } from 'antd/es/locale'
import english from 'antd/es/locale/en_US'
import type { Language } from '@sallyport/contract/messages/language'
import { type ReactNode, StrictMode, useMemo, useSyncExternalStore } from 'react'
import { RouterProvider } from 'react-router'
import { currentLanguage } from '../i18n/index.ts'
import { KitRoot } from '../kit/root/kit-root.tsx'
import { sessionState, subscribeToSessionState } from '../kit/session/login-state.ts'
import { OtherUser } from './shell/other-user.tsx'
import { queryClient } from './query-client.ts'
import { createRouter } from './router/router.tsx'
import { isDark, isStill, subscribeToMode } from '../kit/theme/mode.ts'
import { subscribeToColors, themeColors } from '../kit/theme/platform-colors.ts'
import { widgetTheme } from './theme/widgets.ts'

/** English comes with the widgets. */
const widgetLocales: Record<Language, () => Promise<{ default: Locale }>> = {
  en: async () => ({ default: english }),
  zh: () => import('antd/es/locale/zh_CN'),
  ja: () => import('antd/es/locale/ja_JP'),
}

function Widgets({ locale, children }: { locale: Locale; children: ReactNode }) {
  const colors = useSyncExternalStore(subscribeToColors, themeColors)
  const dark = useSyncExternalStore(subscribeToMode, isDark)
  const still = useSyncExternalStore(subscribeToMode, isStill)
  const widgets = useMemo(() => widgetTheme(colors, dark, still), [colors, dark, still])
  return (
    <ConfigProvider locale={locale} theme={widgets} button={{ autoInsertSpace: false }}>
      {children}
    </ConfigProvider>
  )
}

/** The console as long as its person is logged in here, or nobody is. */
function OnePerson({ children }: { children: ReactNode }) {
  const state = useSyncExternalStore(subscribeToSessionState, sessionState)
  return state === 'replaced' ? <OtherUser /> : children
}

/** The console with its session, once the texts of its widgets are there. */
export async function loadApp(): Promise<ReactNode> {
  const { default: locale } = await widgetLocales[currentLanguage()]()
  const router = createRouter()
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Widgets locale={locale}>
          <OnePerson>
            <KitRoot>
              <RouterProvider router={router} />
            </KitRoot>
          </OnePerson>
        </Widgets>
      </QueryClientProvider>
    </StrictMode>
  )
}
