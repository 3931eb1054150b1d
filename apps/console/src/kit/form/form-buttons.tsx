import { Button } from 'antd'
import { useKitText, useMessages } from '../text.ts'
import type { FormTest } from './form.tsx'
import type { FormStore } from './form-store.ts'
import styles from './form.module.css'
import { useFormState } from './use-form.ts'

interface FormButtonsProps {
  form: FormStore
  /** Which of them is under way. */
  busy: string | undefined
  updating: boolean
  stay: 'continue' | 'another' | undefined
  submitText: string | undefined
  isClosed: boolean
  tests: readonly FormTest[] | undefined
  onStay: () => void
  onTest: (test: FormTest) => void
}

export function FormButtons(props: FormButtonsProps) {
  const { form, busy, updating, stay, submitText, isClosed, tests = [], onStay, onTest } = props
  const t = useKitText()
  const text = useMessages()
  const isDirty = useFormState(form, () => form.isDirty)
  const waits = (name: string) => ({ loading: busy === name, disabled: busy !== undefined && busy !== name })
  return (
    <div className={styles.buttons}>
      {tests.map((test) => (
        <Button key={test.title} {...waits(test.title)} onClick={() => onTest(test)}>
          {text(test.title)}
        </Button>
      ))}
      {updating && (
        <Button disabled={!isDirty || busy !== undefined} onClick={form.reset}>
          {t('reset')}
        </Button>
      )}
      {stay && (
        <Button {...waits('stay')} onClick={onStay}>
          {t(stay === 'another' ? 'saveAndAddAnother' : 'saveAndContinue')}
        </Button>
      )}
      <Button
        type="primary"
        htmlType="submit"
        {...waits('once')}
        disabled={isClosed || waits('once').disabled}
      >
        {submitText ?? t('submit')}
      </Button>
    </div>
  )
}
