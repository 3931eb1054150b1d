import { useState } from 'react'
import { useText } from '../text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { pastedLines } from '../../kit/terminal/clipboard.ts'

export interface PasteQuestion {
  text: string
  answer: (allowed: boolean, trustFromNow: boolean) => void
}

const previewLength = 2000

/** Asked before several lines are pasted where the shell would run them at once. */
export function PasteDialog({ question }: { question: PasteQuestion }) {
  const t = useText()
  const [trust, setTrust] = useState(false)
  const { text, answer } = question
  return (
    <Dialog
      title={t('pasteTitle', { count: pastedLines(text) })}
      onClose={() => answer(false, false)}
      submit={{ label: t('paste'), onSubmit: () => answer(true, trust) }}
      width={560}
    >
      <p>{t('pasteText')}</p>
      <pre className="paste-preview">
        {text.length > previewLength ? `${text.slice(0, previewLength)}…` : text}
      </pre>
      <label className="check">
        <input type="checkbox" checked={trust} onChange={(event) => setTrust(event.target.checked)} />
        <span>{t('pasteTrust')}</span>
      </label>
    </Dialog>
  )
}
