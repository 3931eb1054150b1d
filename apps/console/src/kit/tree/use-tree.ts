import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { queryKeys } from '../api/keys.ts'
import { useErrorToast } from '../feedback/errors.ts'
import { levelsOf, shownAtOnce, topId, type TreeLevels, type TreeNode, visibleNodes } from './tree-node.ts'
import type { TreeSource } from './tree-source.ts'

const retries = 20
const retryAfterMs = 5000

/** A tree read level by level: what is known, open, being named and in view. No looks. */
export function useTree(source: TreeSource, search = '') {
  const showError = useErrorToast()
  const [loaded, setLoaded] = useState<TreeLevels>(new Map())
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [loading, setLoading] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<ReadonlyMap<string, number>>(new Map())
  const [namingId, setNamingId] = useState<string>()
  const top = useQuery({
    queryKey: ['tree', ...source.key, search],
    queryFn: ({ signal }) => source.top({ search, signal }),
    initialData: search ? undefined : source.known,
    // The server may be rebuilding its tree, or starting.
    retry: (count, error) =>
      count < retries && error instanceof ApiError && (error.status === 0 || error.status === 409),
    retryDelay: retryAfterMs,
    gcTime: 0,
  })
  const levels = useMemo(
    () => new Map([...levelsOf(top.data ?? []), ...(search ? [] : loaded)]),
    [top.data, loaded, search],
  )
  const expanded = useMemo(() => {
    const open = new Set((top.data ?? []).filter((node) => node.open || search).map((node) => node.id))
    for (const [id, isOpen] of toggled) {
      if (isOpen) {
        open.add(id)
      } else {
        open.delete(id)
      }
    }
    return open
  }, [top.data, toggled, search])

  const visible = useMemo(() => visibleNodes(levels, expanded, shown), [levels, expanded, shown])
  const load = useCallback(
    async (node: TreeNode, level: number): Promise<readonly TreeNode[]> => {
      setLoading((before) => new Set(before).add(node.id))
      try {
        const below = levelsOf((await source.below?.(node, level)) ?? [], node.id)
        setLoaded((before) => new Map([...before, ...below]))
        return below.get(node.id) ?? []
      } catch (error) {
        // What was open and is gone meanwhile needs no word.
        if (!(error instanceof ApiError && error.status === 404)) {
          showError(error)
        }
        setToggled((before) => new Map(before).set(node.id, false))
        return []
      } finally {
        setLoading((before) => new Set([...before].filter((id) => id !== node.id)))
      }
    },
    [source, showError],
  )
  /** Opens or closes a node; settles when its children are there. */
  const toggle = async (node: TreeNode, level: number, open: boolean) => {
    setToggled((before) => new Map(before).set(node.id, open))
    if (open && !levels.has(node.id)) {
      await load(node, level)
    }
  }
  /** Opens a node in view with what lies below it now. */
  const openNode = async (node: TreeNode) => {
    const item = visible.find((one) => one.node.id === node.id)
    setToggled((before) => new Map(before).set(node.id, true))
    await load(node, item?.level ?? 1)
  }
  /** Brings a node into view, by the ids of the way to it, topmost first: what is above it is opened, and asked for together. */
  const reveal = async (way: readonly string[]) => {
    const above = way.slice(0, -1)
    setToggled((before) => new Map([...before, ...above.map((id) => [id, true] as const)]))
    const opened = await Promise.all(
      [topId, ...above].map(async (id, level) => ({
        id,
        nodes: levels.get(id) ?? (await load({ id, name: '', pId: '', isParent: true }, level)),
      })),
    )
    setShown((before) => {
      const next = new Map(before)
      for (const [level, { id, nodes }] of opened.entries()) {
        const at = nodes.findIndex((node) => node.id === way[level])
        if (at >= (before.get(id) ?? shownAtOnce))
          next.set(id, Math.ceil((at + 1) / shownAtOnce) * shownAtOnce)
      }
      return next
    })
  }
  const showMore = (parentId: string) =>
    setShown((before) => new Map(before).set(parentId, (before.get(parentId) ?? shownAtOnce) + shownAtOnce))
  /** Changes what is known of one level without asking the server, after a change it has made. */
  const changeLevel = (parentId: string, change: (nodes: readonly TreeNode[]) => readonly TreeNode[]) =>
    setLoaded((before) =>
      new Map(before).set(parentId, change(before.get(parentId) ?? levels.get(parentId) ?? [])),
    )
  /** Asks again for what is in view; open nodes stay open, what was only folded away is forgotten. */
  const refresh = async () => {
    const open = visible.filter(({ node, expanded }) => expanded && loaded.has(node.id))
    setLoaded((before) => new Map(open.map(({ node }) => [node.id, before.get(node.id) ?? []])))
    await Promise.all([top.refetch(), ...open.map(({ node, level }) => load(node, level))])
  }
  useCounted(source, refresh)
  const parentOf = (id: string) =>
    [...levels].find(([, nodes]) => nodes.some((node) => node.id === id))?.[0] ?? topId
  return {
    levels,
    visible,
    loading,
    waiting: top.isPending,
    error: top.error,
    toggle,
    openNode,
    reveal,
    /** The node whose name is being typed. */
    namingId,
    startNaming: setNamingId,
    showMore,
    changeLevel,
    parentOf,
    refresh,
  }
}

/** Reads a tree again when rows its nodes count were changed. */
function useCounted({ counted }: TreeSource, refresh: () => Promise<void>): void {
  const client = useQueryClient()
  const latest = useRef(refresh)
  useEffect(() => {
    latest.current = refresh
  })
  useEffect(() => {
    if (!counted) return undefined
    const keys = new Set(counted.map((path) => queryKeys.resource(path)[1]))
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = client.getQueryCache().subscribe((event) => {
      const [kind, path] = event.query.queryKey
      const isChanged = event.type === 'updated' && event.action.type === 'invalidate'
      if (isChanged && kind === 'resource' && typeof path === 'string' && keys.has(path)) {
        // Several lists of a resource are told one after the other.
        clearTimeout(timer)
        timer = setTimeout(() => void latest.current())
      }
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [client, counted])
}

export type Tree = ReturnType<typeof useTree>
