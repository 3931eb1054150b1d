import { SmsSettings } from '@sallyport/contract/resources/setting-pages'
import { FormPage } from '../../kit/form/form-page.tsx'
import { Page } from '../../kit/page/page.tsx'
import { SmsProvider } from './sms-provider.tsx'

/** Whether codes go by SMS, and by whom. */
export default function SmsPage() {
  return (
    <Page>
      <FormPage
        resource={SmsSettings}
        groups={[
          ['basic', ['SMS_ENABLED', 'SMS_BACKEND']],
          ['settings:smsProvider', ['provider']],
        ]}
        own={{ provider: { label: 'settings:smsAccount', widget: SmsProvider } }}
      />
    </Page>
  )
}
