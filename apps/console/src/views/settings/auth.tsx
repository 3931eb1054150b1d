import { Directory } from '@sallyport/contract/resources/directory'
import { LdapSettings } from '@sallyport/contract/resources/setting-pages'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import type { FormTest } from '../../kit/form/form.tsx'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { Page } from '../../kit/page/page.tsx'
import { refreshSettings } from '../../kit/session/refresh-settings.ts'
import { Tabs } from '../../kit/tabs/tabs.tsx'
import { useMessages } from '../../kit/text.ts'
import { organizationSource } from './organization-source.ts'

const TestLoginDialog = lazyPart(() => import('./ldap-login-dialog.tsx'))
const ImportDialog = lazyPart(() => import('./ldap-import-dialog.tsx'))

/** What is filled in is tried before it is saved; a password that is not typed is the stored one. */
const test: FormTest = {
  title: 'testConnection',
  run: (values) =>
    withConfirmation(() =>
      call(Directory, 'testConfig', {
        body: { AUTH_LDAP_SEARCH_OU: '', AUTH_LDAP_BIND_PASSWORD: '', ...values },
      }),
    ),
}

function LdapForm() {
  return (
    <FormPage
      resource={LdapSettings}
      groups={[
        [
          'settings:ldapServer',
          ['AUTH_LDAP_SERVER_URI', 'AUTH_LDAP_START_TLS', 'AUTH_LDAP_BIND_DN', 'AUTH_LDAP_BIND_PASSWORD'],
        ],
        ['settings:ldapUser', ['AUTH_LDAP_SEARCH_OU', 'AUTH_LDAP_SEARCH_FILTER', 'AUTH_LDAP_USER_ATTR_MAP']],
        [
          'other',
          [
            'AUTH_LDAP_SYNC_ORG_ID',
            'AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS',
            'AUTH_LDAP_CONNECT_TIMEOUT',
            'AUTH_LDAP_SEARCH_PAGED_SIZE',
            'AUTH_LDAP',
          ],
        ],
      ]}
      fields={{
        AUTH_LDAP_BIND_DN: { required: true },
        AUTH_LDAP_BIND_PASSWORD: { secret: true },
        AUTH_LDAP_SEARCH_OU: { required: true },
        AUTH_LDAP_SYNC_ORG_ID: {
          widget: 'relation',
          relation: organizationSource,
          hidden: (_values, { access }) => !access.hasLicence,
        },
      }}
      tests={[test]}
      onSaved={() => void refreshSettings()}
    />
  )
}

/** Who answers for people whose passwords are not kept here. */
export default function AuthPage() {
  const t = useMessages()
  const [open, setOpen] = useState<'login' | 'import'>()
  const close = () => setOpen(undefined)
  return (
    <Page
      actions={
        <>
          <Button onClick={() => setOpen('login')}>{t('settings:ldapTestLogin')}</Button>
          <Button onClick={() => setOpen('import')}>{t('settings:ldapImport')}</Button>
        </>
      }
    >
      <Tabs tabs={[{ name: 'LDAP', title: t('settings:ldapTab'), content: <LdapForm /> }]} />
      <Suspense>
        {open === 'login' && <TestLoginDialog onClose={close} />}
        {open === 'import' && <ImportDialog onClose={close} />}
      </Suspense>
    </Page>
  )
}
