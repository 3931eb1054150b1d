import { theme } from 'antd'
import { useLayoutEffect } from 'react'

type Token = ReturnType<typeof theme.useToken>['token']

/** The design tokens the kit's own style sheets use, as custom properties of the document. */
function properties(token: Token): Record<string, string> {
  return {
    '--k-primary': token.colorPrimary,
    '--k-primary-soft': token.colorPrimaryBg,
    '--k-link': token.colorLink,
    '--k-success': token.colorSuccess,
    '--k-warning': token.colorWarning,
    '--k-error': token.colorError,
    '--k-error-soft': token.colorErrorBg,
    '--k-text': token.colorText,
    '--k-text-secondary': token.colorTextSecondary,
    '--k-text-tertiary': token.colorTextTertiary,
    '--k-page': token.colorBgLayout,
    '--k-surface': token.colorBgContainer,
    '--k-elevated': token.colorBgElevated,
    '--k-fill': token.colorFillQuaternary,
    '--k-fill-strong': token.colorFillSecondary,
    '--k-border': token.colorBorder,
    '--k-line': token.colorBorderSecondary,
    '--k-radius': `${token.borderRadius}px`,
    '--k-shadow': token.boxShadowSecondary,
    '--k-mono': token.fontFamilyCode,
  }
}

/** Keeps the custom properties in step with the theme. */
export function useThemeProperties(): void {
  const { token } = theme.useToken()
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries(properties(token))) {
      document.documentElement.style.setProperty(name, value)
    }
  }, [token])
}
