import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import { ask } from '../confirm/ask.ts'
import { useKitText } from '../text.ts'

type IsDirty = () => boolean
/** What would be lost: something typed, or something that is shown this one time. */
type Kind = 'typed' | 'shownOnce'

/** A part of the page that can be left by itself: the page, or a dialog over it. */
export class UnsavedScope {
  readonly #parts = new Map<IsDirty, Kind>()
  readonly #parent: UnsavedScope | undefined

  constructor(parent?: UnsavedScope) {
    this.#parent = parent
  }

  /** Whether something typed in here, or in a dialog over it, would be lost. */
  get isDirty(): boolean {
    return this.lost !== undefined
  }

  get lost(): Kind | undefined {
    return [...this.#parts].find(([isDirty]) => isDirty())?.[1]
  }

  /** The person gives it up. */
  letGo(): void {
    this.#parts.clear()
  }

  add(isDirty: IsDirty, kind: Kind): () => void {
    const removeAbove = this.#parent?.add(isDirty, kind)
    this.#parts.set(isDirty, kind)
    return () => {
      this.#parts.delete(isDirty)
      removeAbove?.()
    }
  }
}

/** The page with everything over it. */
export const pageScope = new UnsavedScope()

export const UnsavedContext = createContext(pageScope)

/** Has the person asked before what `isDirty` speaks of is lost. A function stays the same. */
export function useUnsaved(isDirty: IsDirty | boolean, kind: Kind = 'typed'): void {
  const scope = useContext(UnsavedContext)
  useEffect(
    () => scope.add(typeof isDirty === 'function' ? isDirty : () => isDirty, kind),
    [scope, isDirty, kind],
  )
}

/** A scope of its own for what is below, as in a dialog. */
export function useUnsavedScope(): UnsavedScope {
  const parent = useContext(UnsavedContext)
  const [scope] = useState(() => new UnsavedScope(parent))
  return scope
}

/** Leaves a scope: at once when nothing would be lost, else when the person says so. */
export function useLeave(): (scope: UnsavedScope, leave: () => void, stay?: () => void) => void {
  const t = useKitText()
  return useCallback(
    (scope, leave, stay) => {
      if (!scope.isDirty) {
        leave()
        return
      }
      const words =
        scope.lost === 'shownOnce'
          ? { title: t('shownOnceTitle'), content: t('shownOnceQuestion'), confirmText: t('close') }
          : {
              title: t('discardTitle'),
              content: t('discardQuestion'),
              confirmText: t('discard'),
              cancelText: t('keepEditing'),
            }
      ask({
        ...words,
        danger: true,
        onConfirm: () => {
          scope.letGo()
          leave()
        },
        onCancel: stay,
      })
    },
    [t],
  )
}
