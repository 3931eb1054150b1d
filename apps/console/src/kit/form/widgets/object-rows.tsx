import { MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, Suspense } from 'react'
import { useKitText } from '../../text.ts'
import type { FieldDescription, WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'
import { type FormValues, valueAt, withValue } from '../paths.ts'
import { useRows } from '../use-rows.ts'
import { widgets } from './widgets.ts'

export type RowControl = (row: FormValues, replace: (row: FormValues) => void) => ReactNode

interface ObjectRowsProps extends WidgetProps {
  /** The columns of one row; those of the field unless said. */
  columnsOf?: (row: FormValues) => readonly FieldDescription[]
  /** A row that cannot be taken away. */
  isFixed?: (row: FormValues) => boolean
  /** What the next row begins with; undefined: there is no room for another. */
  next?: FormValues | undefined
  addText?: string
  removeText?: (row: FormValues, number: number) => string
  /** A further control at the end of a row. */
  rowControl?: RowControl
}

const blank: FormValues = {}

/** A list of objects, a line each with a control for every column: added, changed and taken away. */
export default function ObjectRows(props: ObjectRowsProps) {
  const { id, form, field, disabled, updating, describedBy, isFixed, addText, removeText } = props
  const { columnsOf = () => field.columns ?? [], next = blank } = props
  const t = useKitText()
  const { rows, add } = useRows(props)
  const isFull = 'next' in props && props.next === undefined
  const keepsRow = props.required && rows.length === 1
  return (
    <div
      id={id}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      className={styles.objects}
    >
      {rows.map(({ row, errors, replace, remove }, index) => {
        const columns = columnsOf(row)
        const others = Object.entries(errors).filter(
          ([name]) => !columns.some((column) => column.name === name),
        )
        return (
          // Rows have no name of their own: a place in the list is what they are.
          <div key={index} className={styles.object}>
            {columns.map((column) => {
              const cellId = `${id}-${index}-${column.name.replaceAll('.', '-')}`
              const error = errors[column.name]
              const Widget = typeof column.widget === 'string' ? widgets[column.widget] : column.widget
              return (
                <div key={column.name} className={styles.cell} data-column={column.name}>
                  <label id={`${cellId}-label`} htmlFor={cellId}>
                    {column.label}
                  </label>
                  <Suspense>
                    <Widget
                      id={cellId}
                      name={`${field.name}.${index}.${column.name}`}
                      value={valueAt(row, column.name)}
                      form={form}
                      field={column}
                      disabled={disabled || column.disabled === true}
                      invalid={error !== undefined}
                      required={column.meta.required === true}
                      describedBy={error && `${cellId}-error`}
                      updating={updating}
                      onChange={(value) => {
                        const changed = withValue(row, column.name, value)
                        replace({ ...changed, ...column.consequences?.(value, changed) })
                      }}
                      onBlur={nothingToCheck}
                    />
                  </Suspense>
                  {error && (
                    <div id={`${cellId}-error`} className={styles.error} role="alert">
                      {error}
                    </div>
                  )}
                </div>
              )
            })}
            {props.rowControl?.(row, replace)}
            <Button
              icon={<MinusOutlined aria-hidden />}
              aria-label={removeText?.(row, index + 1) ?? t('removeRow', { number: index + 1 })}
              title={keepsRow ? t('lastStays') : undefined}
              disabled={disabled || keepsRow || isFixed?.(row)}
              onClick={remove}
            />
            {others.map(([name, problem]) => (
              <div key={name} className={styles.error} role="alert">
                {problem}
              </div>
            ))}
          </div>
        )
      })}
      {!disabled && !isFull && (
        <Button icon={<PlusOutlined aria-hidden />} onClick={() => add(next)}>
          {addText ?? t('addRow')}
        </Button>
      )}
    </div>
  )
}

/** Cells are checked when the form is sent. */
const nothingToCheck = () => undefined
