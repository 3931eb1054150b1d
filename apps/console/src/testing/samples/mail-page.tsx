import { api } from '../../kit/api/client.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import { Mail } from './mail.ts'

/** Settings with a secret, a list of objects and a way to try them before they are saved. */
export default function MailPage() {
  return (
    <FormPage
      resource={Mail}
      groups={[['basic', ['host', 'key', 'routes']]]}
      fields={{ key: { secret: true } }}
      tests={[
        {
          title: 'testConnection',
          run: async (payload) => (await api.post<{ msg: string }>('settings/mail/testing/', payload)).msg,
        },
      ]}
    />
  )
}
