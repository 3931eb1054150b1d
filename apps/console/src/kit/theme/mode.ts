const storageKey = 'themeMode'
const darkQuery = matchMedia('(prefers-color-scheme: dark)')
const stillQuery = matchMedia('(prefers-reduced-motion: reduce)')

export const themeModes = ['system', 'light', 'dark'] as const
export type ThemeMode = (typeof themeModes)[number]

const listeners = new Set<() => void>()

/** The person's choice in this browser. */
export function themeMode(): ThemeMode {
  const stored = localStorage.getItem(storageKey)
  return themeModes.find((mode) => mode === stored) ?? 'system'
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const mode = themeMode()
  return mode === 'system' ? darkQuery.matches : mode === 'dark'
}

/** Whether the person wants nothing to move. */
export const isStill = () => stillQuery.matches

function announce(): void {
  for (const listener of listeners) listener()
}

export function setThemeMode(mode: ThemeMode): void {
  localStorage.setItem(storageKey, mode)
  announce()
}

export function subscribeToMode(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

darkQuery.addEventListener('change', announce)
stillQuery.addEventListener('change', announce)
// Another page of this browser chose.
addEventListener('storage', (event) => event.key === storageKey && announce())
