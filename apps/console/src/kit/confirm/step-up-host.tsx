import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentStepUp, subscribeToStepUp } from './step-up.ts'

const StepUpDialog = lazy(() => import('./step-up-dialog.tsx'))

/** Where the person confirms who he is. Mounted once, by KitRoot; the dialog is loaded when it is first needed. */
export function StepUpHost() {
  const request = useSyncExternalStore(subscribeToStepUp, currentStepUp)
  return request && <Suspense>{<StepUpDialog request={request} />}</Suspense>
}
