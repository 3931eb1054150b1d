/** Light or dark for the pages around the terminals: the choice made here or in the console, else the system's. */
import { useSyncExternalStore } from 'react'

export type Appearance = 'light' | 'dark'

const storageKey = 'themeMode'
const listeners = new Set<() => void>()
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

export function getAppearance(): Appearance {
  const chosen = localStorage.getItem(storageKey)
  if (chosen === 'light' || chosen === 'dark') return chosen
  return systemDark.matches ? 'dark' : 'light'
}

function apply() {
  document.documentElement.dataset['appearance'] = getAppearance()
  for (const listener of listeners) listener()
}

export function startAppearance() {
  systemDark.addEventListener('change', apply)
  window.addEventListener('storage', apply)
  apply()
}

export function setAppearance(appearance: Appearance) {
  localStorage.setItem(storageKey, appearance)
  apply()
}

export function useAppearance(): Appearance {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getAppearance)
}
