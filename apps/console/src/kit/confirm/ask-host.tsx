import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentQuestion, subscribeToQuestion } from './ask.ts'

const AskDialog = lazy(() => import('./ask-dialog.tsx'))

/** Where questions appear. Mounted once, by KitRoot; the dialog itself is loaded with the first question. */
export function AskHost() {
  const question = useSyncExternalStore(subscribeToQuestion, currentQuestion)
  return question && <Suspense>{<AskDialog question={question} />}</Suspense>
}
