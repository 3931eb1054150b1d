import { type ThemeConfig, theme } from 'antd'
import { mix } from '../../kit/theme/color.ts'
import { type ThemeColors, tokensOf } from '../../kit/theme/tokens.ts'

/** The design tokens as the widgets' theme. */
export function widgetTheme(colors: ThemeColors, isDark: boolean, isStill: boolean): ThemeConfig {
  const tokens = tokensOf(colors, isDark)
  const activeGround = mix(tokens['primary-soft'], 0.06, tokens.link)
  return {
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      motion: !isStill,
      colorPrimary: tokens.primary,
      colorLink: tokens.link,
      colorPrimaryText: tokens.link,
      colorPrimaryBg: tokens['primary-soft'],
      colorPrimaryBgHover: activeGround,
      controlItemBgActive: tokens['primary-soft'],
      controlItemBgActiveHover: activeGround,
      colorSuccess: tokens.success,
      colorSuccessBg: tokens['success-soft'],
      colorInfo: tokens.info,
      colorInfoBg: tokens['info-soft'],
      colorWarning: tokens.warning,
      colorWarningBg: tokens['warning-soft'],
      colorError: tokens.error,
      colorErrorBg: tokens['error-soft'],
      colorBgLayout: tokens.page,
      colorBgContainer: tokens.surface,
      colorBgElevated: tokens.elevated,
      colorText: tokens.text,
      colorTextSecondary: tokens['text-secondary'],
      colorTextTertiary: tokens['text-tertiary'],
      colorTextDescription: tokens['text-tertiary'],
      colorTextPlaceholder: tokens['text-tertiary'],
      colorBorder: tokens['control-border'],
      colorBorderSecondary: tokens.line,
      borderRadius: Number.parseInt(tokens.radius, 10),
      controlHeight: 34,
      fontSize: Number.parseInt(tokens.size, 10),
      fontFamily: 'inherit',
      fontFamilyCode: tokens.mono,
    },
    components: {
      Dropdown: { colorPrimary: tokens.link },
      Button: {
        dangerColor: isDark ? tokens.page : tokens['on-primary'],
        // The algorithm makes others of them, which cannot be read on a dark ground.
        colorLink: tokens.link,
        colorLinkHover: tokens.link,
        colorLinkActive: tokens.link,
        defaultHoverColor: tokens.link,
        defaultHoverBorderColor: tokens.link,
        defaultActiveColor: tokens.link,
        defaultActiveBorderColor: tokens.link,
      },
    },
  }
}
