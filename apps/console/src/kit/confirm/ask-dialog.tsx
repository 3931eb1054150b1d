import { Alert, Modal } from 'antd'
import { useState } from 'react'
import { useFocusReturn } from '../dialog/focus-return.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { endQuestion, type Question } from './ask.ts'

export default function AskDialog({ question }: { question: Question }) {
  useFocusReturn()
  const t = useKitText()
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      await question.onConfirm()
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
      okButtonProps={{ danger: question.danger, loading: running, autoFocus: !question.danger }}
      cancelButtonProps={{ autoFocus: question.danger }}
      closable={{ 'aria-label': t('close') }}
      mask={{ closable: false }}
      onOk={() => void confirm()}
      onCancel={() => {
        endQuestion()
        question.onCancel?.()
      }}
    >
      {question.content}
      {failure && <Alert type="error" showIcon title={failure} style={{ marginTop: 12 }} />}
    </Modal>
  )
}
