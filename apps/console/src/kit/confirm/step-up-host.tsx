import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { toast } from '../feedback/toast.ts'
import { lazyPart } from '../loading/lazy-part.tsx'
import { useKitText } from '../text.ts'
import { currentStepUp, type StepUpRequest, subscribeToStepUp } from './step-up.ts'

const StepUpDialog = lazyPart(() => import('./step-up-dialog.tsx'), { instead: NotAsked })

/** Where the person confirms who he is. Mounted once, by KitRoot. */
export function StepUpHost() {
  const request = useSyncExternalStore(subscribeToStepUp, currentStepUp)
  return request && <Suspense>{<StepUpDialog request={request} />}</Suspense>
}

/** Where nobody can be asked nothing is done, and the person is told. */
function NotAsked({ request }: { request: StepUpRequest }) {
  const t = useKitText()
  useEffect(() => {
    const timer = setTimeout(() => {
      toast.error(t('errorNetwork'))
      request.cancelled()
    })
    return () => clearTimeout(timer)
  }, [request, t])
  return null
}
