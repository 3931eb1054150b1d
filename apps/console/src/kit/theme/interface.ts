import type { InterfaceSettings } from '../session/types.ts'
import { setThemeColors } from './platform-colors.ts'

let productTitle = 'Sallyport'

/** The platform's own title, second half of every page title. */
export function interfaceTitle(): string {
  return productTitle
}

/** Dresses the page as the platform's settings say: title, icon, colours. */
export function applyInterface(settings: InterfaceSettings): void {
  productTitle = settings.login_title || productTitle
  const icon = document.querySelector<HTMLLinkElement>('#favicon')
  if (icon && settings.favicon) {
    icon.removeAttribute('type')
    icon.href = settings.favicon
  }
  setThemeColors(settings.theme_info.colors ?? {})
}
