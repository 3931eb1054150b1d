/**
 * What a person set for all terminals of this browser. Kept under the keys that the compatible web terminal uses
 * (`LunaSetting`, `themeName`), so that settings survive a change of front end.
 */
import { useSyncExternalStore } from 'react'
import { isRecord } from '../api/errors.ts'
import { defaultThemeName, themes } from './themes.ts'

export interface TerminalPreferences {
  fontSize: number
  themeName: string
  /** A right click pastes instead of opening the browser's menu. */
  quickPaste: boolean
  backspaceAsCtrlH: boolean
  copyOnSelect: boolean
  /** Offers the screen's text to screen readers; costs some speed. */
  screenReader: boolean
}

export const fontSizeRange = { min: 8, max: 32 }

const settingKey = 'LunaSetting'
const themeKey = 'themeName'

function readStored(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(settingKey) ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    // Somebody else's or a damaged value: start from the defaults.
    return {}
  }
}

const isOn = (value: unknown) => value === '1' || value === 1 || value === true

function clampFontSize(size: number) {
  if (!Number.isFinite(size)) return 14
  return Math.min(fontSizeRange.max, Math.max(fontSizeRange.min, Math.round(size)))
}

function load(): TerminalPreferences {
  const stored = readStored()
  const themeName = localStorage.getItem(themeKey) ?? defaultThemeName
  return {
    fontSize: clampFontSize(Number(stored['fontSize'] ?? 14)),
    themeName: themes.some((theme) => theme.name === themeName) ? themeName : defaultThemeName,
    quickPaste: isOn(stored['quickPaste']),
    backspaceAsCtrlH: isOn(stored['backspaceAsCtrlH']),
    copyOnSelect: stored['copyOnSelect'] === undefined || isOn(stored['copyOnSelect']),
    screenReader: isOn(stored['screenReader']),
  }
}

let current: TerminalPreferences | undefined
const listeners = new Set<() => void>()

/** The preferences now; the same object until one changes. */
export function getPreferences(): TerminalPreferences {
  current ??= load()
  return current
}

/** Stores changes for this browser and tells every terminal, in other browser tabs too. */
export function setPreferences(change: Partial<TerminalPreferences>) {
  const next = { ...getPreferences(), ...change }
  next.fontSize = clampFontSize(next.fontSize)
  const flag = (value: boolean) => (value ? '1' : '0')
  localStorage.setItem(
    settingKey,
    JSON.stringify({
      ...readStored(),
      fontSize: next.fontSize,
      quickPaste: flag(next.quickPaste),
      backspaceAsCtrlH: flag(next.backspaceAsCtrlH),
      copyOnSelect: flag(next.copyOnSelect),
      screenReader: flag(next.screenReader),
    }),
  )
  localStorage.setItem(themeKey, next.themeName)
  current = next
  for (const listener of listeners) listener()
}

/** Calls back after a change, until the returned function is called. */
export function onPreferences(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== settingKey && event.key !== themeKey) return
    current = undefined
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

export const usePreferences = () => useSyncExternalStore(onPreferences, getPreferences)
