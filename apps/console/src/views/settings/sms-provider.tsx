import { type SmsBackend, smsBackends } from '@sallyport/contract/settings'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import type { WidgetProps } from '../../kit/form/form-spec.ts'
import { useFieldValue } from '../../kit/form/use-form.ts'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { useMessages } from '../../kit/text.ts'

const SmsProviderDialog = lazyPart(() => import('./sms-provider-dialog.tsx'))
const isBackend = (value: unknown): value is SmsBackend => smsBackends.values.some((one) => one === value)

/** Opens the settings of the provider that is chosen. */
export function SmsProvider({ id, form }: WidgetProps) {
  const t = useMessages()
  const backend = useFieldValue(form, 'SMS_BACKEND')
  const [open, setOpen] = useState<SmsBackend>()
  return (
    <>
      <Button
        aria-describedby={`${id}-label`}
        disabled={!isBackend(backend)}
        onClick={() => isBackend(backend) && setOpen(backend)}
      >
        {t('settings:smsProviderSet')}
      </Button>
      <Suspense>{open && <SmsProviderDialog backend={open} onClose={() => setOpen(undefined)} />}</Suspense>
    </>
  )
}
