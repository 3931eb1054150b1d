import { Button, Result } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import { useHref, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import { useDetail, useMetadata, useSave } from '../api/hooks.ts'
import type { FieldMetas, Metadata, WriteMethod } from '../api/metadata.ts'
import { detailPath, listPath, type ResourceRef, type Row } from '../api/resource.ts'
import { isRecord } from '../api/errors.ts'
import { screenPaths } from '../screens/paths.ts'
import { describeError } from '../feedback/errors.ts'
import { ToastLink } from '../feedback/toast-link.tsx'
import { toast } from '../feedback/toast.ts'
import { useKitText } from '../text.ts'
import type { FieldSpecs } from './describe.ts'
import { Form, type FormProps } from './form.tsx'
import styles from './form.module.css'
import type { FieldGroup } from './form-spec.ts'
import type { FormValues } from './paths.ts'
import { copiedRow } from './values.ts'

const leaveAfterMs = 100

export interface FormSpec {
  resource: ResourceRef
  /** Where the form is sent in place of the resource's own path; may carry a query. */
  path?: string
  groups: readonly FieldGroup[]
  fields?: FieldSpecs
  /** Values of a new form besides the server's defaults, and values sent besides those of the form's fields. */
  presets?: (search: URLSearchParams) => { initial?: FormValues; extra?: FormValues }
  cleanUp?: FormProps['cleanUp']
  /** The list path whose description fits these values, where fields depend on a value (a host's on its platform). */
  describedBy?: (values: FormValues) => string
  /** Address of the list screen; found from this page's own unless said. */
  base?: string
  /** Where to go after saving; the list as it was left, unless said. */
  nextTo?: (saved: Row) => string
  canAddAnother?: boolean
}

/** Creates, updates (route parameter `id`) or copies (`?clone_from=`) a row of a resource. */
export function ResourceForm(spec: FormSpec) {
  const t = useKitText()
  const { id } = useParams()
  const [search] = useSearchParams()
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const home = useHref('/')
  const clonedId = id === undefined ? (search.get('clone_from') ?? undefined) : undefined
  const path = listPath(spec.path ?? spec.resource.path)
  const base = spec.base ?? pathname.replace(id === undefined ? /\/create\/?$/u : /\/[^/]+\/update\/?$/u, '')
  const paths = screenPaths(base)

  const { presets: presetsOf } = spec
  const presets = useMemo(() => presetsOf?.(search) ?? {}, [presetsOf, search])
  const row = useDetail(path, id ?? clonedId)
  const [values, setValues] = useState<FormValues>()
  const described = spec.describedBy?.(values ?? row.data ?? presets.initial ?? {}) ?? path
  const metadata = useMetadata(id === undefined ? described : detailPath(described, id))
  const metas = useLastMetas(metadata.data, id === undefined ? 'POST' : 'PUT')
  const save = useSave(path)

  const copyPrefix = t('duplicatePrefix')
  const initial = useMemo(() => {
    if (!row.data) {
      return presets.initial ?? {}
    }
    return clonedId === undefined ? row.data : { ...presets.initial, ...copiedRow(row.data, copyPrefix) }
  }, [row.data, clonedId, presets, copyPrefix])
  const remember = useCallback((next: FormValues) => setValues(next), [])

  const error = row.error ?? metadata.error
  if (error) {
    const retry = () =>
      void Promise.all([row.isError && row.refetch(), metadata.isError && metadata.refetch()])
    return (
      <Result
        status="warning"
        title={describeError(error, t)}
        extra={<Button onClick={retry}>{t('retry')}</Button>}
      />
    )
  }
  if (!metas || ((id ?? clonedId) !== undefined && !row.data)) {
    return <div className={styles.waiting} role="status" aria-label={t('loading')} />
  }
  const submit = async (payload: FormValues, again: boolean) => {
    const query = clonedId === undefined ? undefined : { clone_from: clonedId }
    const saved = await save.mutateAsync({ id, values: payload, query })
    const message = t(id !== undefined ? 'updateSuccess' : again ? 'createSuccessMore' : 'createSuccess')
    const name = typeof saved?.['name'] === 'string' ? saved['name'] : undefined
    toast.success(
      <>
        {name && <ToastLink to={paths.detail(saved.id)} home={home} navigate={navigate} text={name} />}{' '}
        {message}
      </>,
    )
    if (!again) {
      const backTo = isRecord(state) && typeof state['backTo'] === 'string' ? state['backTo'] : paths.list
      setTimeout(() => void navigate(spec.nextTo?.(saved) ?? backTo), leaveAfterMs)
    }
  }
  return (
    <Form
      groups={spec.groups}
      fields={spec.fields}
      metas={metas}
      initial={initial}
      extra={presets.extra}
      updating={id !== undefined}
      cleanUp={spec.cleanUp}
      canAddAnother={id === undefined && spec.canAddAnother !== false}
      onChange={spec.describedBy && remember}
      onSubmit={submit}
    />
  )
}

/** The fields to write, and the last known ones while another description is under way. */
function useLastMetas(metadata: Metadata | undefined, method: WriteMethod): FieldMetas | undefined {
  const current =
    metadata?.actions && (metadata.actions[method] ?? metadata.actions.PATCH ?? metadata.actions.POST ?? {})
  const [last, setLast] = useState(current)
  if (current && current !== last) {
    setLast(current)
  }
  return current ?? last
}
