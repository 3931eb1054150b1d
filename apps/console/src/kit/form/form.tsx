import type { Resource } from '@sallyport/contract/resource/resource'
import { Alert } from 'antd'
import {
  type FormEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useAccess } from '../access/access.ts'
import type { CallOptions } from '../api/client.ts'
import { ApiError, isRecord } from '../api/errors.ts'
import type { FieldMetas } from '../api/metadata.ts'
import { ask } from '../confirm/ask.ts'
import { withConfirmation } from '../confirm/step-up.ts'
import { focusFirst } from '../dialog/focus-first.ts'
import { toastText } from '../feedback/errors.ts'
import { type MessageKey, useKitText, useMessages } from '../text.ts'
import { useUnsaved } from '../unsaved/unsaved.ts'
import { describeForm } from './describe.ts'
import { FieldSet } from './field-set.tsx'
import { FormButtons } from './form-buttons.tsx'
import styles from './form.module.css'
import type { FieldsOf, FieldSpecs } from './form-spec.ts'
import { FormStore } from './form-store.ts'
import { type FormValues, valueAt, withValue } from './paths.ts'
import { isHidden, problemsOf } from './rules.ts'
import { placeErrors } from './server-errors.ts'
import { beginningValues, payloadOf } from './values.ts'

/** A call made with what is filled in, before anything is saved: "Test connection". */
export interface FormTest {
  title: MessageKey
  /** Answers what to tell the person; rejects with ApiError. */
  run: (payload: FormValues) => Promise<string>
}

export interface FormProps<
  R extends Resource = Resource,
  Own extends string = string,
  Answer = unknown,
> extends FieldsOf<R, Own> {
  metas: FieldMetas
  /** The row, or what a new one begins with. Another row is taken over under what is typed. */
  initial: FormValues
  /** Values sent along besides those of the form's fields. */
  extra?: FormValues | undefined
  updating: boolean
  /** `touched`: only what the person changed (PATCH); all fields unless said. */
  sends?: 'all' | 'touched' | undefined
  /** Reads the row as it is now, and its version; asked before sending, so that nobody's change is written back. */
  read?: (() => Promise<{ row: FormValues; version: string | undefined }>) | undefined
  /** Sends the values, and with `call` the version they are about; rejects with ApiError. A row it answers is what the form stands on afterwards. */
  onSubmit: (payload: FormValues, call: CallOptions) => Promise<Answer>
  /** What follows once it is saved and the form is clean; `stays`: the person goes on in this form. */
  onSaved?: (answer: Answer, stays: boolean) => void
  /** Told about every change, for screens whose description depends on a value. */
  onChange?: ((values: FormValues) => void) | undefined
  /** What is asked before these values are sent. */
  asks?: ((values: FormValues) => MessageKey | undefined) | undefined
  /** A second way to save: and go on with the same row, or with another new one. */
  stay?: 'continue' | 'another' | undefined
  submitText?: string
  /** Nothing can be sent now. */
  isClosed?: boolean
  tests?: readonly FormTest[] | undefined
}

const shown = (own: FieldsOf['own'] = {}): FieldSpecs =>
  Object.fromEntries(
    Object.entries(own).flatMap(([name, spec]) => (spec === 'unshown' ? [] : [[name, spec] as const])),
  )

/** Whether the person means what they are about to do. */
const isMeant = (content: string, confirmText: string) =>
  new Promise<boolean>((resolve) => {
    ask({
      title: content,
      confirmText,
      danger: true,
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })

/** How often a row is sent that others keep changing between its reading and its sending. */
const sendAttempts = 3

/** A form driven by metadata. What was typed stays, whatever the server answers and whoever else writes. */
export function Form<R extends Resource = Resource, Own extends string = string, Answer = unknown>(
  props: FormProps<R, Own, Answer>,
) {
  const { metas, initial, updating, fields: specs, own, stay, onChange } = props
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const formId = useId()
  const root = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [answered, setAnswered] = useState<string>()
  const allSpecs = useMemo(() => ({ ...specs, ...shown(own) }), [specs, own])
  const situation = useMemo(() => ({ updating, access }), [updating, access])
  const groups = useMemo(
    () => describeForm(props.groups, metas, allSpecs, text),
    [props.groups, metas, allSpecs, text],
  )
  const fields = useMemo(() => groups.flatMap((group) => group.fields), [groups])
  const beginningOf = useCallback(
    (row: FormValues) => {
      const given = fields.reduce(
        (values, { name, initial: value }) =>
          value === undefined || valueAt(values, name) !== undefined
            ? values
            : withValue(values, name, value),
        row,
      )
      return beginningValues(metas, given)
    },
    [fields, metas],
  )
  const beginning = useMemo(() => beginningOf(initial), [beginningOf, initial])
  const [form] = useState(() => new FormStore(beginning, fields))
  const stood = useRef({ initial, beginning })
  useLayoutEffect(() => {
    form.describe(fields)
    if (stood.current.beginning !== beginning) {
      form.rebase(beginning, stood.current.initial !== initial)
      stood.current = { initial, beginning }
    }
  }, [form, fields, initial, beginning])
  useUnsaved(useCallback(() => form.isDirty, [form]))
  useEffect(() => form.subscribe(() => onChange?.(form.state.values)), [form, onChange])

  useEffect(() => {
    // In a dialog it may come in the place of what was gone on with.
    if (root.current?.closest('[role=dialog]')) {
      focusFirst(root.current)
    }
  }, [])

  /** Leads the person to where the form begins. */
  const begin = () => {
    root.current?.scrollIntoView({ behavior: 'smooth' })
    if (root.current) focusFirst(root.current)
  }
  /** Leads the person to a field; one inside a list of objects by the list. */
  const show = (name: string | undefined) => {
    const field = fields.find((one) => name === one.name || name?.startsWith(`${one.name}.`))
    const row = field && root.current?.querySelector(`[data-field="${CSS.escape(field.name)}"]`)
    if (row) {
      row.scrollIntoView({ block: 'center', behavior: 'smooth' })
      focusFirst(row)
    }
  }
  const refuse = (error: unknown) => {
    if (!(error instanceof ApiError)) {
      setFailure(toastText(error, t))
      return
    }
    const { placed, others } = placeErrors(error, fields, form.state.values, situation)
    const [first] = Object.keys(placed)
    const isTold = first && (!error.serverText || Object.values(placed).includes(error.serverText))
    form.setErrors(placed)
    setFailure(others.length > 0 ? others.join('\n') : isTold ? undefined : toastText(error, t))
    setTimeout(() => show(first))
  }
  /** Does something with what is filled in, unless something is wrong with it. */
  const send = async (name: string, work: () => Promise<void>) => {
    setFailure(undefined)
    setAnswered(undefined)
    const { values } = form.state
    const inView = fields.filter((field) => !isHidden(field, values, situation))
    const wrong = Object.assign({}, ...inView.map((field) => problemsOf(field, values, situation, t)))
    form.setErrors(wrong)
    if (Object.keys(wrong).length > 0) {
      show(Object.keys(wrong)[0])
      return
    }
    setBusy(name)
    try {
      await work()
    } catch (error) {
      refuse(error)
    } finally {
      setBusy(undefined)
    }
  }
  /** Sends what is touched over the row as it was just read; again where somebody was quicker. Nothing is sent of what is contested. */
  const sendOver = async (
    read: Awaited<ReturnType<NonNullable<typeof props.read>>> | undefined,
    attempt = 1,
  ): Promise<{ answer: Answer; touched: FormValues } | undefined> => {
    if (read) {
      form.rebase(beginningOf(read.row), true)
    }
    if (Object.keys(form.state.conflicts).length > 0) {
      return undefined
    }
    const { values, touched } = form.state
    const only = props.sends === 'touched' ? touched : undefined
    const payload = await payloadOf(fields, values, situation, { only, extra: props.extra })
    const call = read?.version === undefined ? {} : { headers: { 'If-Match': read.version } }
    try {
      return { answer: await withConfirmation(() => props.onSubmit(payload, call)), touched }
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.code === 'changed_meanwhile'
      if (!isOutdated || attempt === sendAttempts) throw error
      return sendOver(await props.read?.(), attempt + 1)
    }
  }
  const save = async (stays: boolean) => {
    const question = props.asks?.(form.state.values)
    if (question && !(await isMeant(text(question), t('submit')))) return
    const sent = await sendOver(await props.read?.())
    if (!sent) {
      setFailure(t('conflictsLeft'))
      show(Object.keys(form.state.conflicts)[0])
      return
    }
    const { answer, touched } = sent
    const isAnother = stays && stay === 'another'
    const isRow = isRecord(answer) && !isAnother
    form.settle(isRow ? beginningOf({ ...initial, ...answer }) : beginning, touched)
    props.onSaved?.(answer, stays)
    if (isAnother) setTimeout(begin)
  }
  const test = async ({ run }: FormTest) =>
    setAnswered(await run(await payloadOf(fields, form.state.values, situation, { extra: props.extra })))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    // A form in a dialog opened by a form is not part of it, though its events pass through.
    event.stopPropagation()
    void send('once', () => save(false))
  }

  return (
    <form ref={root} className={styles.form} noValidate onSubmit={onSubmit} aria-busy={busy !== undefined}>
      {groups.map((group) => (
        <FieldSet key={group.title} form={form} formId={formId} group={group} situation={situation} />
      ))}
      {failure && <Alert className={styles.failure} type="error" showIcon title={failure} role="alert" />}
      {answered !== undefined && (
        <Alert className={styles.failure} type="success" showIcon title={answered} role="status" />
      )}
      <FormButtons
        form={form}
        busy={busy}
        updating={updating}
        stay={stay}
        submitText={props.submitText}
        isClosed={props.isClosed ?? false}
        tests={props.tests}
        onStay={() => void send('stay', () => save(true))}
        onTest={(one) => void send(one.title, () => test(one))}
      />
    </form>
  )
}
