import { Alert, Button } from 'antd'
import {
  type FormEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useAccess } from '../access/access.ts'
import { ApiError } from '../api/errors.ts'
import type { FieldMetas } from '../api/metadata.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText, useMessages } from '../text.ts'
import { describeForm, type FieldSpecs } from './describe.ts'
import { FieldRow } from './field-row.tsx'
import styles from './form.module.css'
import type { FieldDescription, FieldGroup } from './form-spec.ts'
import { type FormValues, valueAt } from './paths.ts'
import { isDisabled, isHidden, isRequired } from './rules.ts'
import { placeErrors } from './server-errors.ts'
import { useForm } from './use-form.ts'
import { beginningValues, payloadOf } from './values.ts'

export interface FormProps {
  groups: readonly FieldGroup[]
  fields?: FieldSpecs
  metas: FieldMetas
  /** Values to begin with: a row, or what the screen presets. Those of no field of the form are sent too. */
  initial: FormValues
  /** Values sent along besides those of the form's fields. */
  extra?: FormValues
  updating: boolean
  /** The last touch to what is typed before it is sent; secrets are still readable here. */
  cleanUp?: (values: FormValues) => FormValues
  /** Sends the values; rejects with ApiError. `again`: the person wants to add another. */
  onSubmit: (payload: FormValues, again: boolean) => Promise<unknown>
  /** Told about every change, for screens whose metadata depends on a value. */
  onChange?: (values: FormValues) => void
  canAddAnother?: boolean
  submitText?: string
  /** Buttons before Reset and Submit. */
  buttons?: (values: FormValues) => ReactNode
}

const blurPauseMs = 200
/** The kit's own widgets need no other field, so they are not drawn again when one changes. */
const noValues: FormValues = {}

/** A form driven by metadata. What was typed stays, whatever the server answers. */
export function Form(props: FormProps) {
  const { metas, initial, updating } = props
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const formId = useId()
  const root = useRef<HTMLFormElement>(null)
  const [sending, setSending] = useState<'once' | 'again'>()
  const [failure, setFailure] = useState<string>()
  const specs = useMemo(() => props.fields ?? {}, [props.fields])
  const beginning = useMemo(() => {
    const preset = Object.entries(specs).flatMap(([name, spec]) =>
      spec.initial === undefined || name in initial ? [] : [[name, spec.initial] as const],
    )
    return beginningValues(metas, { ...Object.fromEntries(preset), ...initial })
  }, [metas, initial, specs])
  const situation = useMemo(() => ({ updating, access }), [updating, access])
  const form = useForm(beginning, situation)
  const { onChange } = props
  useEffect(() => onChange?.(form.values), [onChange, form.values])
  const groups = useMemo(
    () => describeForm(props.groups, metas, specs, text),
    [props.groups, metas, specs, text],
  )
  const fields = groups.flatMap((group) => group.fields)
  const idOf = (name: string) => `${formId}-${name.replaceAll('.', '-')}`

  const show = (name: string | undefined) => {
    const row = name && root.current?.querySelector(`[data-field="${CSS.escape(name)}"]`)
    if (row) {
      row.scrollIntoView({ block: 'center', behavior: 'smooth' })
      const control = row.querySelector('input, textarea, button, [tabindex]')
      if (control instanceof HTMLElement) {
        control.focus({ preventScroll: true })
      }
    }
  }
  const submit = async (again: boolean) => {
    setFailure(undefined)
    const firstWrong = form.checkAll(fields)
    if (firstWrong) {
      show(firstWrong)
      return
    }
    setSending(again ? 'again' : 'once')
    try {
      const values = props.cleanUp ? props.cleanUp(form.values) : form.values
      await props.onSubmit(await payloadOf(fields, values, updating, props.extra), again)
      if (again) {
        form.reset()
      }
    } catch (error) {
      refuse(error)
    } finally {
      setSending(undefined)
    }
  }
  const refuse = (error: unknown) => {
    if (!(error instanceof ApiError)) {
      setFailure(describeError(error, t))
      return
    }
    const { placed, others } = placeErrors(error, fields)
    const first = fields.find((field) => field.name in placed)?.name
    form.setErrors(placed)
    setFailure(
      others.length > 0
        ? others.join('\n')
        : first && !error.serverText
          ? undefined
          : describeError(error, t),
    )
    setTimeout(() => show(first))
  }
  // Not at once: an error that appears while a button is being pressed would move the button away.
  const { check } = form
  const checkLater = useCallback(
    (field: FieldDescription) => void setTimeout(() => check(field), blurPauseMs),
    [check],
  )
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog opened by a form is not part of it, though its events pass through.
    event.stopPropagation()
    void submit(false)
  }

  return (
    <form ref={root} className={styles.form} noValidate onSubmit={onSubmit} aria-busy={sending !== undefined}>
      {groups.map((group) => {
        const shown = group.fields.filter((field) => !isHidden(field, form.values, situation))
        return (
          shown.length > 0 && (
            <fieldset key={group.title} className={styles.group}>
              <legend>{group.title}</legend>
              {shown.map((field) => (
                <FieldRow
                  key={`${field.name} ${form.round}`}
                  id={idOf(field.name)}
                  field={field}
                  value={valueAt(form.values, field.name)}
                  values={typeof field.widget === 'string' ? noValues : form.values}
                  error={form.errors[field.name]}
                  required={isRequired(field, form.values, situation)}
                  disabled={isDisabled(field, form.values, situation)}
                  updating={updating}
                  onChange={form.set}
                  onBlur={checkLater}
                />
              ))}
            </fieldset>
          )
        )
      })}
      {failure && <Alert className={styles.failure} type="error" showIcon title={failure} role="alert" />}
      <div className={styles.buttons}>
        {props.buttons?.(form.values)}
        {updating && (
          <Button disabled={!form.changed || sending !== undefined} onClick={form.reset}>
            {t('reset')}
          </Button>
        )}
        {props.canAddAnother && (
          <Button
            loading={sending === 'again'}
            disabled={sending === 'once'}
            onClick={() => void submit(true)}
          >
            {t('saveAndAddAnother')}
          </Button>
        )}
        <Button type="primary" htmlType="submit" loading={sending === 'once'} disabled={sending === 'again'}>
          {props.submitText ?? t('submit')}
        </Button>
      </div>
    </form>
  )
}
