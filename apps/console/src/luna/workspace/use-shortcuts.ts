import { useEffect, useLayoutEffect, useRef } from 'react'

interface Shortcuts {
  step: (by: 1 | -1) => void
  search: () => void
}

/** Keys of the workspace itself, chosen so that no terminal program misses them; they work inside a terminal too. */
export function useShortcuts(shortcuts: Shortcuts) {
  const latest = useRef(shortcuts)
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return
      if (event.code === 'ArrowRight') latest.current.step(1)
      else if (event.code === 'ArrowLeft') latest.current.step(-1)
      else if (event.code === 'KeyF') latest.current.search()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [])
}
