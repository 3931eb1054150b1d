import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import { currentQuestion, subscribeToQuestion } from './ask.ts'
import { PlainQuestion } from './plain-question.tsx'

const AskDialog = lazyPart(() => import('./ask-dialog.tsx'), { instead: PlainQuestion })

/** Where questions appear. Mounted once, by KitRoot. */
export function AskHost() {
  const question = useSyncExternalStore(subscribeToQuestion, currentQuestion)
  return question && <Suspense>{<AskDialog question={question} />}</Suspense>
}
