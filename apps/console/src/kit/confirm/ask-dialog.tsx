import { Alert, Input } from 'antd'
import { useState } from 'react'
import { Modal } from '../dialog/modal.tsx'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { endQuestion, type Question } from './ask.ts'

const longestReason = 512
const field = { display: 'block', marginTop: 12 }

export default function AskDialog({ question }: { question: Question }) {
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
      const reason = describeError(error, t)
      setFailure(question.failed ? t('failedBecause', { what: question.failed, reason }) : reason)
      setRunning(false)
    }
  }
  return (
    <Modal
      title={question.title}
      okText={question.confirmText ?? t('confirm')}
      cancelText={question.cancelText ?? t('cancel')}
      okButtonProps={{ danger: question.danger, loading: running, disabled: !isComplete }}
      // Focus begins at the first control: what is asked for, or the button that changes nothing.
      closable={false}
      // Nothing typed is lost by a key.
      keyboard={reason.trim() === '' && typed === ''}
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
          <Input autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
      )}
      {failure && <Alert type="error" showIcon title={failure} style={{ marginTop: 12 }} />}
    </Modal>
  )
}
