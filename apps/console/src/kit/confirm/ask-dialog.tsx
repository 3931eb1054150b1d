import { Alert, Input, Modal } from 'antd'
import { useState } from 'react'
import { useFocusReturn } from '../dialog/focus-return.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { endQuestion, type Question } from './ask.ts'

const longestReason = 512
const field = { display: 'block', marginTop: 12 }

export default function AskDialog({ question }: { question: Question }) {
  useFocusReturn()
  const t = useKitText()
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [reason, setReason] = useState('')
  const [typed, setTyped] = useState('')
  const { reason: asksWhy, typed: expected } = question
  const isComplete =
    (asksWhy !== 'required' || reason.trim() !== '') && (expected === undefined || typed === expected)
  const confirm = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      await question.onConfirm({ reason: reason.trim() })
      endQuestion()
    } catch (error) {
      setFailure(describeError(error, t))
      setRunning(false)
    }
  }
  return (
    <Modal
      open
      title={question.title}
      okText={question.confirmText ?? t('confirm')}
      cancelText={question.cancelText ?? t('cancel')}
      // What destroys something is not a slip of the Enter key away.
      okButtonProps={{
        danger: question.danger,
        loading: running,
        disabled: !isComplete,
        autoFocus: isComplete && !question.danger,
      }}
      cancelButtonProps={{ autoFocus: isComplete && question.danger }}
      closable={{ 'aria-label': t('close') }}
      mask={{ closable: false }}
      onOk={() => void confirm()}
      onCancel={() => {
        endQuestion()
        question.onCancel?.()
      }}
    >
      {question.content}
      {asksWhy && (
        <label style={field}>
          {t(asksWhy === 'required' ? 'reason' : 'reasonOptional')}
          <Input.TextArea
            autoFocus
            rows={2}
            value={reason}
            maxLength={longestReason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
      )}
      {expected !== undefined && (
        <label style={field}>
          {t('typeToConfirm', { text: expected })}
          <Input
            autoFocus={!asksWhy}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
      )}
      {failure && <Alert type="error" showIcon title={failure} style={{ marginTop: 12 }} />}
    </Modal>
  )
}
