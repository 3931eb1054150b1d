import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useLocation } from 'react-router'
import { queryKeys } from '../api/keys.ts'
import type { ResourceRef } from '../api/resource.ts'
import { ask } from '../confirm/ask.ts'
import { useErrorToast } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { openTask } from '../tasks/open-task.ts'
import { useMessages } from '../text.ts'
import type { Action, Given, Subject } from './action.ts'
import { titleOf } from './action-state.ts'
import { openDialog } from './open-dialog.tsx'
import { rowsNamed } from './rows-named.ts'
import { useGo } from '../routes/navigation.tsx'

/** Does an action with rows; `after` runs once it is done. Settles when it is done, or when the question about it is asked. */
export type RunAction = <R extends Subject>(
  action: Action<R>,
  rows: readonly R[],
  after?: () => void,
) => Promise<void>

/** How actions are done on a page about a resource. What goes wrong is told as a toast, or in the question's dialog. */
export function useRunAction(resource?: ResourceRef): RunAction {
  const text = useMessages()
  const client = useQueryClient()
  const go = useGo()
  const { pathname, search } = useLocation()
  const showError = useErrorToast()

  return useCallback(
    async <R extends Subject>(action: Action<R>, rows: readonly R[], after?: () => void) => {
      const [row] = rows
      if (row === undefined) {
        return
      }
      if (action.to) {
        // The page it leads to leads back here.
        await go(action.to(row), { state: { backTo: pathname + search } })
        return
      }
      const { dialog } = action
      if (dialog) {
        openDialog((close) => dialog(row, close, rows))
        return
      }
      const perform = async (given: Given) => {
        const refresh = () => {
          for (const { path } of action.refreshes ?? (resource ? [resource] : [])) {
            void client.invalidateQueries({ queryKey: queryKeys.resource(path) })
          }
        }
        const started = await action.task?.(rows)
        await action.call?.(rows, given)
        after?.()
        if (action.done) {
          toast.success(text(action.done, { count: rows.length }))
        }
        if (started) {
          openTask(started.task, refresh)
        } else {
          refresh()
        }
      }
      if (action.confirm) {
        const { title, content, reason, typed, failed } = action.confirm === true ? {} : action.confirm
        const own = text(titleOf(action, row))
        ask({
          title: title?.(rows, text) ?? own,
          content:
            content?.(rows, text) ??
            (title ? undefined : text('kit:actionConfirm', { name: rowsNamed(rows, text) })),
          confirmText: own,
          danger: action.danger,
          reason,
          typed: typed?.(rows),
          failed: failed && text(failed),
          onConfirm: perform,
        })
        return
      }
      try {
        await perform({ reason: '' })
      } catch (error) {
        showError(error)
      }
    },
    [text, client, go, pathname, search, showError, resource],
  )
}
