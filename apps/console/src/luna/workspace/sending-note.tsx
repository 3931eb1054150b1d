import { useText } from '../text.ts'
import { Button } from '../ui/button.tsx'

interface SendingNoteProps {
  percent: number
  onStop: () => void
}

/** Says that a long paste is still on its way, in a corner of the terminal. */
export function SendingNote({ percent, onStop }: SendingNoteProps) {
  const t = useText()
  return (
    <div className="sending-note" role="status">
      <span>{t('sendingPaste', { percent })}</span>
      <Button onClick={onStop}>{t('stopSending')}</Button>
    </div>
  )
}
