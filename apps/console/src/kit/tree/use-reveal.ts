import { type RefObject, useEffect, useRef, useState } from 'react'
import { parentsOf, type TreeNode, wayAbove } from './tree-node.ts'
import type { Tree } from './use-tree.ts'

/** What is chosen in a tree by something else than the tree, as the address. */
export interface TreeChoice {
  /** Tells one choice from another. */
  key: string
  /** How it is found where it is not loaded: the ids of the way to it, topmost first; none where there is no way. */
  wayTo: () => Promise<readonly string[]>
}

interface Revealing {
  tree: Tree
  /** What is chosen, where it is in view. */
  selectedId: string | undefined
  isSelected: (node: TreeNode) => boolean
  choice: TreeChoice | undefined
  panel: RefObject<HTMLElement | null>
}

/**
 * Opens a tree to what is chosen, as after a reload, Back or a link; once for each choice, so that what is folded away
 * by hand stays so. @returns whether that is over
 */
export function useReveal({ tree, selectedId, isSelected, choice, panel }: Revealing): boolean {
  const [soughtKey, setSoughtKey] = useState<string>()
  const begun = useRef<string>(undefined)
  const isReady = !tree.waiting && !tree.error
  useEffect(() => {
    if (!isReady || choice === undefined || begun.current === choice.key) return
    begun.current = choice.key
    const seek = async () => {
      if (selectedId === undefined) {
        const known = [...tree.levels.values()].flat().find(isSelected)
        const way = known ? [...wayAbove(parentsOf(tree.levels), known.id), known.id] : await choice.wayTo()
        if (way.length > 0) await tree.reveal(way)
      }
    }
    // What cannot be found is said where it would be marked.
    void seek()
      .catch(() => undefined)
      .then(() => setSoughtKey(choice.key))
  }, [isReady, choice, selectedId, isSelected, tree])
  useEffect(() => {
    if (soughtKey !== undefined)
      panel.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [soughtKey, panel])
  return choice === undefined || !isReady || soughtKey === choice.key
}
