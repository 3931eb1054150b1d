import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import { useHref, useLocation, useParams, useSearchParams } from 'react-router'
import { api, type CallOptions } from '../api/client.ts'
import { queryKeys } from '../api/keys.ts'
import { detailPath, listPath, type Row } from '../api/resource.ts'
import { isRecord } from '../api/errors.ts'
import { screenPaths } from '../screens/paths.ts'
import { describeError } from '../feedback/errors.ts'
import { ToastLink } from '../feedback/toast-link.tsx'
import { toast } from '../feedback/toast.ts'
import { useKitText } from '../text.ts'
import { Form } from './form.tsx'
import type { FormSpec } from './declare-form.ts'
import { FormFailed, FormForbidden, FormWaiting } from './form-states.tsx'
import type { FormValues } from './paths.ts'
import { useFreshRow } from './use-fresh-row.ts'
import { useMetas } from './use-metas.ts'
import { copiedRow } from './values.ts'
import { useGo } from '../routes/navigation.tsx'

const leaveAfterMs = 100

/** What is told of a row that is done, behind its name or without one. */
const named = { saved: 'wasSaved', created: 'wasCreated', createdMore: 'wasCreatedMore' } as const
const nameless = {
  saved: 'updateSuccess',
  created: 'createSuccess',
  createdMore: 'createSuccessMore',
} as const

/** Creates, updates (route parameter `id`) or copies (`?clone_from=`) a row of a resource. */
export function ResourceForm({ hasDetail, ...spec }: FormSpec & { hasDetail: boolean }) {
  const { id } = useParams()
  const [search] = useSearchParams()
  const clonedId = id === undefined ? (search.get('clone_from') ?? undefined) : undefined
  // Another row is another form.
  return <RowForm key={`${id} ${clonedId}`} spec={spec} hasDetail={hasDetail} id={id} clonedId={clonedId} />
}

interface RowFormProps {
  spec: FormSpec
  /** Whether there is a detail screen to lead to. */
  hasDetail: boolean
  id: string | undefined
  clonedId: string | undefined
}

function RowForm(props: RowFormProps) {
  const { spec, id, clonedId } = props
  const t = useKitText()
  const [search] = useSearchParams()
  const path = listPath(spec.path ?? spec.resource.path)
  const rowId = id ?? clonedId
  const fresh = useFreshRow(
    queryKeys.detail(path, rowId ?? ''),
    rowId === undefined ? undefined : detailPath(path, rowId),
  )
  const { presets: presetsOf, describedBy, fields } = spec
  const presets = useMemo(() => presetsOf?.(search) ?? {}, [presetsOf, search])
  const [chosen, setChosen] = useState<string>()
  const described = chosen ?? describedBy?.(fresh.row ?? presets.initial ?? {}) ?? path
  const description = useMetas(
    id === undefined ? described : detailPath(described, id),
    id === undefined ? 'POST' : 'PUT',
  )
  const follow = useCallback((values: FormValues) => setChosen(describedBy?.(values)), [describedBy])
  const copyPrefix = t('duplicatePrefix')
  const initial = useMemo(() => {
    if (!fresh.row) {
      return presets.initial ?? {}
    }
    return id === undefined ? { ...presets.initial, ...copiedRow(fresh.row, copyPrefix, fields) } : fresh.row
  }, [fresh.row, id, presets, copyPrefix, fields])
  const { save, saved } = useSaving(props, path)

  if (fresh.error) {
    return <FormFailed error={fresh.error} onRetry={fresh.retry} />
  }
  if (fresh.isPending || !description.metas) {
    if (description.error) {
      return <FormFailed error={description.error} onRetry={description.retry} />
    }
    return description.forbidden ? <FormForbidden /> : <FormWaiting />
  }
  return (
    <>
      {description.error && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          title={describeError(description.error, t)}
          action={<Button onClick={description.retry}>{t('retry')}</Button>}
        />
      )}
      <Form
        groups={spec.groups}
        fields={spec.fields}
        own={spec.own}
        metas={description.metas}
        initial={initial}
        extra={presets.extra}
        updating={id !== undefined}
        sends={spec.sends}
        read={id === undefined ? undefined : fresh.read}
        stay={id !== undefined ? 'continue' : spec.canAddAnother === false ? undefined : 'another'}
        asks={spec.asks}
        onChange={describedBy && follow}
        onSubmit={save}
        onSaved={saved}
      />
    </>
  )
}

/** Sends the row (POST to create, PUT or PATCH to update, as the compatible console does), says so, and leaves the page. */
function useSaving({ spec, hasDetail, id, clonedId }: RowFormProps, path: string) {
  const t = useKitText()
  const { pathname, state } = useLocation()
  const go = useGo()
  const home = useHref('/')
  const client = useQueryClient()
  const base = spec.base ?? pathname.replace(id === undefined ? /\/create\/?$/u : /\/[^/]+\/update\/?$/u, '')
  const paths = screenPaths(base)
  return {
    save: (values: FormValues, call: CallOptions) =>
      id === undefined
        ? api.post<Row>(path, values, { query: { clone_from: clonedId } })
        : api[spec.sends === 'touched' ? 'patch' : 'put']<Row>(detailPath(path, id), values, call),
    saved: (row: Row, stays: boolean) => {
      void client.invalidateQueries({ queryKey: queryKeys.resource(path) })
      const name = typeof row?.['name'] === 'string' && row['name'] ? row['name'] : undefined
      const done = id !== undefined ? 'saved' : stays ? 'createdMore' : 'created'
      const message = t((name ? named : nameless)[done])
      toast.success(
        <>
          {name && hasDetail ? <ToastLink to={paths.detail(row.id)} home={home} go={go} text={name} /> : name}{' '}
          {message}
        </>,
      )
      if (!stays) {
        const backTo = isRecord(state) && typeof state['backTo'] === 'string' ? state['backTo'] : paths.list
        const next = spec.nextTo?.(row, id !== undefined)
        const isLeft = next === undefined || next === backTo.split('?', 1)[0]
        setTimeout(() => void go(isLeft ? backTo : next), leaveAfterMs)
      }
    },
  }
}
