import { useCallback } from 'react'
import { useKitText } from '../text.ts'
import { toast } from './toast.ts'

const copyToastMs = 1400
const copyThrottleMs = 1800

let last = { text: '', at: -Infinity }

/** Whether a text was copied a moment ago: a second press of the same button then does nothing. Another text does. */
export function isRepeated(text: string, now: number = performance.now()): boolean {
  if (text === last.text && now - last.at < copyThrottleMs) return true
  last = { text, at: now }
  return false
}

/** Copies a text and says so. Works without HTTPS too, where browsers withhold the clipboard interface. */
export function useCopy(): (text: string) => Promise<void> {
  const t = useKitText()
  return useCallback(
    async (text) => {
      if (isRepeated(text)) return
      if (await copyText(text)) {
        toast.success(t('copied'), copyToastMs)
      } else {
        toast.error(t('copyFailed'))
      }
    },
    [t],
  )
}

async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) {
    return copyBySelection(text)
  }
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The permission may be refused while the older way still works.
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
