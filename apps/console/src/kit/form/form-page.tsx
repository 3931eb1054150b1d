import type { Singleton } from '@sallyport/contract/resource/singleton'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/keys.ts'
import { pathOfOne } from '../api/one.ts'
import { toast } from '../feedback/toast.ts'
import { type MessageKey, useKitText, useMessages } from '../text.ts'
import { Form, type FormTest } from './form.tsx'
import type { FieldsOf } from './form-spec.ts'
import { FormFailed, FormForbidden, FormWaiting } from './form-states.tsx'
import type { FormValues } from './paths.ts'
import { useFreshRow } from './use-fresh-row.ts'
import { useMetas } from './use-metas.ts'

interface FormPageProps<R extends Singleton, Own extends string> extends FieldsOf<R, Own> {
  /** The person's own profile, a page of settings. */
  resource: R
  /** Values sent along with every save. */
  extra?: FormValues
  tests?: readonly FormTest[]
  /** What is said after a save; "Update success" unless said. */
  savedText?: MessageKey
  /** What follows a save. */
  onSaved?: (row: FormValues) => void
}

/** The form of a resource that has one row: read when it opens; what the person changed is sent (PATCH). */
export function FormPage<R extends Singleton, const Own extends string = never>({
  resource,
  savedText,
  onSaved,
  ...form
}: FormPageProps<R, Own>) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const address = pathOfOne(resource)
  const fresh = useFreshRow([...queryKeys.resource(address), 'row', address], address)
  const description = useMetas(address, 'PUT')
  const error = fresh.error ?? (description.metas ? null : description.error)
  if (error) {
    return <FormFailed error={error} onRetry={fresh.error ? fresh.retry : description.retry} />
  }
  if (!fresh.row || !description.metas) {
    return description.forbidden ? <FormForbidden /> : <FormWaiting />
  }
  return (
    <Form
      {...form}
      metas={description.metas}
      initial={fresh.row}
      updating
      sends="touched"
      read={fresh.read}
      onSubmit={(payload, call) => api.patch<FormValues>(address, payload, call)}
      onSaved={(row) => {
        toast.success(savedText ? text(savedText) : t('updateSuccess'))
        void client.invalidateQueries({ queryKey: queryKeys.resource(address) })
        onSaved?.(row)
      }}
    />
  )
}
