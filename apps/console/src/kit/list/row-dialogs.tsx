import type { Resource } from '@sallyport/contract/resource/resource'
import { openDialog } from '../actions/open-dialog.tsx'
import type { Action } from '../actions/action.ts'
import { useSave } from '../api/hooks.ts'
import { changePermission, listPath, type Row, viewPermission } from '../api/resource.ts'
import { DetailCard } from '../detail/detail-card.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { toast } from '../feedback/toast.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import type { FieldsOf } from '../form/form-spec.ts'
import { useKitText } from '../text.ts'
import { nameOf } from '../values/name-of.ts'

interface DialogProps<R extends Resource> {
  resource: R
  form: FieldsOf<R, never>
  close: () => void
}

/** A new row, or one that exists, on a form over the list. */
function EditDialog<R extends Resource>({ resource, form, row, close }: DialogProps<R> & { row?: Row }) {
  const t = useKitText()
  const path = listPath(resource.path)
  const save = useSave(path)
  return (
    <FormDialog<R, never, Row>
      {...form}
      title={row ? `${t('update')}: ${nameOf(row)}` : t('create')}
      describedBy={path}
      method={row ? 'PUT' : 'POST'}
      row={row && { path, id: row.id }}
      updating={row !== undefined}
      onSubmit={(values, call) => save.mutateAsync({ id: row?.id, values, ...call })}
      onSaved={() => {
        toast.success(t(row ? 'updateSuccess' : 'createSuccess'))
        close()
      }}
      onClose={close}
    />
  )
}

function ViewDialog<R extends Resource>({ resource, form, row, close }: DialogProps<R> & { row: Row }) {
  return (
    <Dialog title={nameOf(row)} footer={null} onCancel={close}>
      <DetailCard
        path={listPath(resource.path)}
        row={row}
        fields={form.groups.flatMap(([, names]) => names)}
      />
    </Dialog>
  )
}

/** What a data table does in dialogs over itself, where other lists lead to screens: new, edit and view. */
export function rowDialogs<R extends Resource>(resource: R, form: FieldsOf<R, never>) {
  const rowActions: Action<Row>[] = [
    {
      name: 'update',
      title: 'kit:update',
      order: 10,
      permission: changePermission(resource),
      dialog: (row, close) => <EditDialog resource={resource} form={form} row={row} close={close} />,
    },
    {
      name: 'view',
      title: 'kit:detail',
      order: 15,
      permission: viewPermission(resource),
      dialog: (row, close) => <ViewDialog resource={resource} form={form} row={row} close={close} />,
    },
  ]
  return {
    can: { update: false, clone: false },
    detailTo: false,
    onCreate: () => openDialog((close) => <EditDialog resource={resource} form={form} close={close} />),
    rowActions,
  } as const
}
