import type { SentOf } from '@sallyport/contract/resource/calls'
import { Profile as ProfileResource } from '@sallyport/contract/resources/users'
import { useMemo, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import type { FieldMeta, FieldMetas } from '../../kit/api/metadata.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { Form } from '../../kit/form/form.tsx'
import type { FieldGroup, FieldSpecs } from '../../kit/form/form-spec.ts'
import type { FormValues } from '../../kit/form/paths.ts'
import { useKitText, useMessages } from '../../kit/text.ts'

type Sent = SentOf<(typeof ProfileResource)['calls']['setSecretKey']>
const longest = 128
const empty: FormValues = {}
const groups: readonly FieldGroup[] = [['profile:fileEncryption', ['new_secret_key', 'new_secret_key_again']]]

/** What files with secrets are encrypted with, for this person. It can be set, and is never shown. */
export function SecretKeyForm() {
  const t = useKitText()
  const text = useMessages()
  // A form that was saved begins anew.
  const [saved, setSaved] = useState(0)
  const metas = useMemo<FieldMetas>(() => {
    const secret = (label: string): FieldMeta => ({
      type: 'string',
      write_only: true,
      required: true,
      max_length: longest,
      label,
    })
    return {
      new_secret_key: secret(text('kit:newPassword')),
      new_secret_key_again: secret(text('kit:newPasswordAgain')),
    }
  }, [text])
  const fields = useMemo<FieldSpecs<'new_secret_key' | 'new_secret_key_again'>>(
    () => ({
      new_secret_key: { secret: true, help: 'profile:fileEncryptionHelp', autoComplete: 'new-password' },
      new_secret_key_again: {
        secret: true,
        autoComplete: 'new-password',
        rules: [
          (value, values) => (value === values.new_secret_key ? undefined : text('kit:passwordsDiffer')),
        ],
      },
    }),
    [text],
  )
  return (
    <Form
      key={saved}
      groups={groups}
      metas={metas}
      fields={fields}
      initial={empty}
      updating={false}
      onSubmit={(payload) => call(ProfileResource, 'setSecretKey', { body: payload as Sent })}
      onSaved={() => {
        toast.success(t('updateSuccess'))
        setSaved(saved + 1)
      }}
    />
  )
}
