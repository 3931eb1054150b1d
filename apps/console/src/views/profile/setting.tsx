import { Page } from '../../kit/page/page.tsx'
import { useSession } from '../../kit/session/session.ts'
import { Tabs } from '../../kit/tabs/tabs.tsx'
import { useMessages } from '../../kit/text.ts'
import { SecretKeyForm } from './secret-key-form.tsx'
import { KeyForm, PasswordForm, ProfileForm } from './setting-forms.tsx'

/** What a person changes about himself: how to reach him, his password, his SSH key. */
export default function ProfileSetting() {
  const text = useMessages()
  const { profile } = useSession()
  return (
    <Page>
      <Tabs
        tabs={[
          { name: 'ProfileUpdate', title: text('profileSetting'), content: <ProfileForm /> },
          {
            name: 'PasswordUpdate',
            title: text('profile:loginPassword'),
            disabled: profile.source.value !== 'local',
            content: <PasswordForm />,
          },
          {
            name: 'SSHUpdate',
            title: text('profile:sshKey'),
            disabled: !profile.can_public_key_auth,
            content: <KeyForm />,
          },
          { name: 'SecretKeyUpdate', title: text('profile:fileEncryption'), content: <SecretKeyForm /> },
        ]}
      />
    </Page>
  )
}
