import type { Singleton } from '@sallyport/contract/resource/singleton'
import {
  AlibabaSettings,
  Cmpp2Settings,
  HuaweiSettings,
  TencentSettings,
} from '@sallyport/contract/resources/setting-pages'
import { SmsBackends } from '@sallyport/contract/resources/sms'
import type { SmsBackend } from '@sallyport/contract/settings'
import type { ReactNode } from 'react'
import { call } from '../../kit/api/call.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { FieldGroup, FieldName } from '../../kit/form/form-spec.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import type { FormTest } from '../../kit/form/form.tsx'
import { useMessages } from '../../kit/text.ts'

/** What is filled in is tried before it is saved; a secret that is not typed is the stored one. */
const testOf = (backend: SmsBackend): FormTest => ({
  title: 'testConnection',
  run: async (values) =>
    (await withConfirmation(() => call(SmsBackends, backend, { body: values as never }))).msg,
})

type Shown = (onSaved: () => void) => ReactNode
const form =
  <R extends Singleton>(
    backend: SmsBackend,
    resource: R,
    secret: FieldName<R>,
    groups: readonly FieldGroup<FieldName<R>>[],
  ): Shown =>
  (onSaved) => (
    <FormPage
      resource={resource}
      groups={groups}
      fields={{ [secret]: { secret: true } } as never}
      tests={[testOf(backend)]}
      onSaved={onSaved}
    />
  )

const forms: Readonly<Record<SmsBackend, Shown>> = {
  alibaba: form('alibaba', AlibabaSettings, 'ALIBABA_ACCESS_KEY_SECRET', [
    ['basic', ['ALIBABA_ACCESS_KEY_ID', 'ALIBABA_ACCESS_KEY_SECRET']],
    ['settings:smsTemplate', ['ALIBABA_VERIFY_SIGN_NAME', 'ALIBABA_VERIFY_TEMPLATE_CODE']],
    ['other', ['SMS_TEST_PHONE']],
  ]),
  tencent: form('tencent', TencentSettings, 'TENCENT_SECRET_KEY', [
    ['basic', ['TENCENT_SECRET_ID', 'TENCENT_SECRET_KEY', 'TENCENT_SDKAPPID']],
    ['settings:smsTemplate', ['TENCENT_VERIFY_SIGN_NAME', 'TENCENT_VERIFY_TEMPLATE_CODE']],
    ['other', ['SMS_TEST_PHONE']],
  ]),
  huawei: form('huawei', HuaweiSettings, 'HUAWEI_APP_SECRET', [
    ['basic', ['HUAWEI_APP_KEY', 'HUAWEI_APP_SECRET', 'HUAWEI_SMS_ENDPOINT']],
    [
      'settings:smsTemplate',
      ['HUAWEI_SIGN_CHANNEL_NUM', 'HUAWEI_VERIFY_SIGN_NAME', 'HUAWEI_VERIFY_TEMPLATE_CODE'],
    ],
    ['other', ['SMS_TEST_PHONE']],
  ]),
  cmpp2: form('cmpp2', Cmpp2Settings, 'CMPP2_SP_SECRET', [
    [
      'basic',
      [
        'CMPP2_HOST',
        'CMPP2_PORT',
        'CMPP2_SP_ID',
        'CMPP2_SP_SECRET',
        'CMPP2_SRC_ID',
        'CMPP2_SERVICE_ID',
        'CMPP2_VERIFY_SIGN_NAME',
        'CMPP2_VERIFY_TEMPLATE_CODE',
      ],
    ],
    ['other', ['SMS_TEST_PHONE']],
  ]),
}

/** The settings of one provider; it closes when they are saved. */
export default function SmsProviderDialog({
  backend,
  onClose,
}: {
  backend: SmsBackend
  onClose: () => void
}) {
  const t = useMessages()
  return (
    <Dialog title={t('settings:smsProvider')} footer={null} mask={{ closable: false }} onCancel={onClose}>
      {forms[backend](onClose)}
    </Dialog>
  )
}
