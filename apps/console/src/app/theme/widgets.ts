import { type ThemeConfig, theme } from 'antd'
import { mix, type ThemeColors } from './colors.ts'

/** The widgets' design tokens for the platform's colours, in light or dark. */
export function widgetTheme(colors: ThemeColors, dark: boolean): ThemeConfig {
  // On a dark page the platform's colours are lightened, so that text in them stays readable.
  const tone = (color: string) => (dark ? mix(color, 0.35) : color)
  const soft = (color: string, share: number) =>
    dark ? mix(color, share - 0.15, 'black') : mix(color, share)
  const primary = colors['--color-primary']
  return {
    algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: {
      colorPrimary: dark ? mix(primary, 0.12) : primary,
      colorLink: tone(primary),
      colorPrimaryText: tone(primary),
      colorPrimaryBg: soft(primary, 0.9),
      colorPrimaryBgHover: soft(primary, 0.84),
      controlItemBgActive: soft(primary, 0.9),
      controlItemBgActiveHover: soft(primary, 0.84),
      colorSuccess: tone(colors['--color-success']),
      colorInfo: tone(colors['--color-info']),
      colorWarning: tone(colors['--color-warning']),
      colorError: tone(colors['--color-danger']),
      ...(dark
        ? {
            colorBgLayout: '#0e1112',
            colorBgContainer: '#171b1d',
            colorBgElevated: '#1e2426',
            colorText: '#dde3e6',
            colorTextSecondary: '#98a2a8',
            colorBorder: '#3a4246',
            colorBorderSecondary: '#2a3033',
          }
        : { colorBgLayout: '#f3f5f6', colorText: '#24292f', colorTextSecondary: '#59636e' }),
      borderRadius: 4,
      controlHeight: 34,
      fontSize: 13,
      fontFamily: 'inherit',
    },
    components: { Dropdown: { colorPrimary: tone(primary) } },
  }
}
