import { useQueryClient } from '@tanstack/react-query'
import { Alert, Checkbox } from 'antd'
import { useMemo, useState } from 'react'
import { updateMany } from '../api/hooks.ts'
import { ApiError, errorText, fieldErrorsOf } from '../api/errors.ts'
import { queryKeys } from '../api/keys.ts'
import type { FieldMetas } from '../api/metadata.ts'
import { listPath, type ResourceRef, type Row } from '../api/resource.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { toast } from '../feedback/toast.ts'
import { useKitText, useMessages } from '../text.ts'
import type { BulkUpdate } from './bulk-update.ts'
import { Form } from './form.tsx'
import { FormFailed, FormForbidden, FormWaiting } from './form-states.tsx'
import type { FormValues } from './paths.ts'
import { useMetas } from './use-metas.ts'
import { emptyValue } from './values.ts'

interface BulkUpdateProps {
  resource: ResourceRef
  update: BulkUpdate
  rows: readonly Row[]
  onClose: () => void
}

/**
 * Changes the ticked properties of several rows in one call; the others are not shown, nor sent. What is ticked is
 * sent though it is empty, so nothing is ticked at first: rows lose only what somebody chose to change.
 */
export default function BulkUpdateDialog({ resource, update, rows, onClose }: BulkUpdateProps) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const path = listPath(resource.path)
  const { metas, forbidden, error, retry } = useMetas(path, 'PUT')
  const closed = update.closed?.(rows) ?? []
  const [ticked, setTicked] = useState<readonly string[]>([])
  const groups = useMemo(
    () => [['basic', update.fields.filter((name) => ticked.includes(name))]] as const,
    [update, ticked],
  )
  const initial = useMemo(() => (metas ? beginningOf(update, metas) : {}), [update, metas])
  const labelOf = (name: string) => {
    const own = update.specs?.[name]?.label
    return own ? text(own) : (metas?.[name]?.label ?? name)
  }
  return (
    <Dialog
      width={{ xs: '80%', lg: '70%' }}
      style={{ top: '1vh' }}
      title={`${t('updateSelected')} (${rows.length})`}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      {update.tip && <Alert type="success" title={text(update.tip)} style={{ marginBottom: 12 }} />}
      {error && !metas ? (
        <FormFailed error={error} onRetry={retry} />
      ) : forbidden ? (
        <FormForbidden />
      ) : metas ? (
        <>
          <p id="bulk-update-fields">{t('bulkUpdateFields')}</p>
          <Checkbox.Group
            aria-labelledby="bulk-update-fields"
            value={[...ticked]}
            onChange={(names) => setTicked(names)}
            options={update.fields.map((name) => ({
              value: name,
              label: labelOf(name),
              disabled: closed.includes(name),
            }))}
          />
          <Form
            groups={groups}
            fields={update.specs}
            metas={metas}
            initial={initial}
            updating
            isClosed={ticked.length === 0}
            onSubmit={(values) => send(path, rows, values)}
            onSaved={() => {
              toast.success(t('updateSuccess'))
              void client.invalidateQueries({ queryKey: queryKeys.resource(path) })
              onClose()
            }}
          />
        </>
      ) : (
        <FormWaiting />
      )}
    </Dialog>
  )
}

/** What a property holds where neither the screen nor the server says what it begins with: nothing. */
function beginningOf({ fields, specs = {} }: BulkUpdate, metas: FieldMetas): FormValues {
  return Object.fromEntries(
    fields.flatMap((name) => {
      const meta = metas[name]
      const isSaid = specs[name]?.initial !== undefined || meta?.default !== undefined
      return meta === undefined || isSaid ? [] : [[name, emptyValue(meta)]]
    }),
  )
}

async function send(path: string, rows: readonly Row[], values: FormValues): Promise<unknown> {
  try {
    return await updateMany(path, rows, values)
  } catch (error) {
    throw error instanceof ApiError && Array.isArray(error.body) ? ofAllRows(error, error.body) : error
  }
}

/** What is wrong with single rows, told of the fields they share: each sentence once, with semicolons between them. */
export function ofAllRows(error: ApiError, rows: readonly unknown[]): ApiError {
  const problems = new Map<string, Set<string>>()
  const add = (name: string, sentence: string) =>
    problems.set(name, (problems.get(name) ?? new Set()).add(sentence))
  for (const row of rows) {
    const general = errorText(row)
    if (general) add('non_field_errors', general)
    for (const [name, sentence] of Object.entries(fieldErrorsOf(row))) add(name, sentence)
  }
  const body = Object.fromEntries(
    [...problems].map(([name, sentences]) => [name, [[...sentences].join('; ')]]),
  )
  return new ApiError(error.status, error.code, body, error)
}
