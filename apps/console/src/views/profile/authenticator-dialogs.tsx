import { Mfa } from '@sallyport/contract/resources/sign-in'
import { useMemo } from 'react'
import { call } from '../../kit/api/call.ts'
import type { FieldMetas } from '../../kit/api/metadata.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { Form } from '../../kit/form/form.tsx'
import type { FieldGroup, FieldSpecs } from '../../kit/form/form-spec.ts'
import type { FormValues } from '../../kit/form/paths.ts'
import { OtpSetup, RecoveryCodeList } from '../../kit/otp/otp-setup.tsx'
import { useMessages } from '../../kit/text.ts'

interface DialogProps {
  /** It is done. */
  onDone: () => void
  onClose: () => void
}

const width = 440
const nothing: FormValues = {}
const groups: readonly FieldGroup[] = [['profile:mfaApp', ['code']]]
const fields: FieldSpecs = { code: { autoComplete: 'one-time-code' } }
const longestCode = 32

/** `onBound`: the app is set up, whatever becomes of the dialog. */
export function SetUpDialog({ onBound, onClose }: { onBound: () => void; onClose: () => void }) {
  const text = useMessages()
  return (
    <Dialog width={width} title={text('profile:mfaSetUpApp')} footer={null} onCancel={onClose}>
      <OtpSetup onBound={onBound} onDone={onClose} />
    </Dialog>
  )
}

/** Codes that were made anew. */
export function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = useMessages()
  return (
    <Dialog width={width} title={text('profile:mfaNewCodes')} footer={null} onCancel={onClose}>
      <RecoveryCodeList codes={codes} onDone={onClose} />
    </Dialog>
  )
}

/** Takes the app away from whoever can show a code of it. */
export function DisableDialog({ onDone, onClose }: DialogProps) {
  const text = useMessages()
  const metas = useMemo<FieldMetas>(
    () => ({ code: { type: 'string', required: true, max_length: longestCode, label: text('kit:mfaCode') } }),
    [text],
  )
  return (
    <Dialog width={width} title={text('profile:mfaRemoveApp')} footer={null} onCancel={onClose}>
      <p>{text('profile:mfaRemoveHelp')}</p>
      <Form
        groups={groups}
        metas={metas}
        fields={fields}
        initial={nothing}
        updating={false}
        onSubmit={({ code }) => call(Mfa, 'disableOtp', { body: { code: String(code) } })}
        onSaved={onDone}
      />
    </Dialog>
  )
}
