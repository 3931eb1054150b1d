import { useState } from 'react'
import { pageScope, useLeave } from '../unsaved/unsaved.ts'
import { isReachable } from './load-code.ts'

/**
 * Loads the page anew, once the server answers, so that it is not lost for the browser's own error page; asks first where
 * typed work would be lost. `attempts` counts those that found no server.
 */
export function useLoadAgain() {
  const leave = useLeave()
  const [attempts, setAttempts] = useState(0)
  const [isTrying, setTrying] = useState(false)
  const loadAgain = async () => {
    setTrying(true)
    if (await isReachable()) leave(pageScope, () => location.reload())
    else setAttempts((count) => count + 1)
    setTrying(false)
  }
  return { loadAgain: () => void loadAgain(), attempts, isTrying }
}
