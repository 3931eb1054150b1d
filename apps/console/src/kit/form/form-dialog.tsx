import type { Resource } from '@sallyport/contract/resource/resource'
import type { WriteMethod } from '../api/metadata.ts'
import { queryKeys } from '../api/keys.ts'
import { detailPath, type RowId } from '../api/resource.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { Form, type FormProps } from './form.tsx'
import { FormFailed, FormForbidden, FormWaiting } from './form-states.tsx'
import type { FormValues } from './paths.ts'
import { useFreshRow } from './use-fresh-row.ts'
import { useMetas } from './use-metas.ts'

interface FormDialogProps<R extends Resource, Own extends string, Answer> extends Omit<
  FormProps<R, Own, Answer>,
  'metas' | 'initial' | 'read' | 'sends'
> {
  title: string
  /** The address whose description the form follows, and how it is sent there. */
  describedBy: string
  method: WriteMethod
  /** The row to change, read when the dialog opens; or what a new one begins with. */
  row?: { path: string; id: RowId } | undefined
  initial?: FormValues
  /** Something else the fields depend on is under way. */
  isWaiting?: boolean
  onClose: () => void
}

const empty: FormValues = {}

/** A form over the page. It stays open until what it sends is accepted, or the person closes it. */
export function FormDialog<R extends Resource = Resource, Own extends string = string, Answer = unknown>({
  title,
  describedBy,
  method,
  row,
  initial = empty,
  isWaiting = false,
  onClose,
  ...form
}: FormDialogProps<R, Own, Answer>) {
  const description = useMetas(describedBy, method === 'PATCH' ? 'PUT' : method)
  const fresh = useFreshRow(
    queryKeys.detail(row?.path ?? '', row?.id ?? ''),
    row && detailPath(row.path, row.id),
  )
  const error = fresh.error ?? (description.metas ? null : description.error)
  const values = row ? fresh.row : initial
  return (
    <Dialog title={title} footer={null} mask={{ closable: false }} onCancel={onClose}>
      {error ? (
        <FormFailed error={error} onRetry={fresh.error ? fresh.retry : description.retry} />
      ) : description.metas && values && !isWaiting ? (
        <Form
          {...form}
          metas={description.metas}
          initial={values}
          sends={method === 'PATCH' ? 'touched' : 'all'}
          read={row && fresh.read}
        />
      ) : description.forbidden ? (
        <FormForbidden />
      ) : (
        <FormWaiting />
      )}
    </Dialog>
  )
}
