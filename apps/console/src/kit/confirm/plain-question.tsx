import { useEffect } from 'react'
import { useErrorToast } from '../feedback/errors.ts'
import { type KitText, useKitText } from '../text.ts'
import { endQuestion, type Question } from './ask.ts'

/** The last resort where the dialog cannot be loaded: the browser's own questions. */
export function PlainQuestion({ question }: { question: Question }) {
  const t = useKitText()
  const toastError = useErrorToast()
  useEffect(() => {
    const timer = setTimeout(() => {
      const given = answerTo(question, t)
      endQuestion()
      if (given === undefined) question.onCancel?.()
      else void Promise.resolve(question.onConfirm(given)).catch(toastError)
    })
    return () => clearTimeout(timer)
  }, [question, t, toastError])
  return null
}

/** What the person gives with going ahead; undefined where he does not. */
function answerTo({ title, content, typed, reason }: Question, t: KitText): { reason: string } | undefined {
  const text = typeof content === 'string' ? `${title}\n\n${content}` : title
  if (!window.confirm(text)) return undefined
  if (typed !== undefined && window.prompt(t('typeToConfirm', { text: typed })) !== typed) return undefined
  if (reason === undefined) return { reason: '' }
  const given = window.prompt(t(reason === 'required' ? 'reason' : 'reasonOptional'))?.trim()
  return given === undefined || (reason === 'required' && given === '') ? undefined : { reason: given }
}
