import { EmailContentSettings, EmailSettings, MailServer } from '@sallyport/contract/resources/setting-pages'
import { call } from '../../kit/api/call.ts'
import type { FormTest } from '../../kit/form/form.tsx'
import { FormPage } from '../../kit/form/form-page.tsx'
import type { FormValues } from '../../kit/form/paths.ts'
import { Page } from '../../kit/page/page.tsx'
import { refreshSettings } from '../../kit/session/refresh-settings.ts'
import { Tabs } from '../../kit/tabs/tabs.tsx'
import { useMessages } from '../../kit/text.ts'

const text = (values: FormValues, name: string) => {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** The server is the stored one; who sends and who gets the mail may be tried before they are saved. */
const test: FormTest = {
  title: 'testConnection',
  run: async (values) => {
    const body = {
      EMAIL_FROM: text(values, 'EMAIL_FROM'),
      EMAIL_RECIPIENT: text(values, 'EMAIL_RECIPIENT'),
    }
    return (await call(MailServer, 'test', { body })).msg
  },
}

function MailServerForm() {
  return (
    <FormPage
      resource={EmailSettings}
      groups={[
        ['settings:smtpServer', ['EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_HOST_USER', 'EMAIL_HOST_PASSWORD']],
        ['settings:security', ['EMAIL_USE_SSL', 'EMAIL_USE_TLS']],
        ['settings:mailSend', ['EMAIL_FROM', 'EMAIL_SUBJECT_PREFIX']],
        ['other', ['EMAIL_RECIPIENT']],
      ]}
      fields={{ EMAIL_HOST_PASSWORD: { secret: true } }}
      tests={[test]}
      onSaved={() => void refreshSettings()}
    />
  )
}

function MailContentForm() {
  return (
    <FormPage
      resource={EmailContentSettings}
      groups={[
        [
          'settings:createUserMail',
          [
            'EMAIL_CUSTOM_USER_CREATED_SUBJECT',
            'EMAIL_CUSTOM_USER_CREATED_HONORIFIC',
            'EMAIL_CUSTOM_USER_CREATED_BODY',
            'EMAIL_CUSTOM_USER_CREATED_SIGNATURE',
          ],
        ],
      ]}
      fields={{ EMAIL_CUSTOM_USER_CREATED_BODY: { widget: 'textarea' } }}
    />
  )
}

/** The mail server, who sends, and what somebody new is written. */
export default function EmailPage() {
  const t = useMessages()
  return (
    <Page>
      <Tabs
        tabs={[
          { name: 'Email', title: t('emailSettings'), content: <MailServerForm /> },
          { name: 'EmailContent', title: t('settings:emailContent'), content: <MailContentForm /> },
        ]}
      />
    </Page>
  )
}
