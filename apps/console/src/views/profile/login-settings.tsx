import { Button } from 'antd'
import { Card } from '../../kit/detail/card.tsx'
import { useGo } from '../../kit/routes/navigation.tsx'
import { useSession } from '../../kit/session/session.ts'
import { type MessageKey, useMessages } from '../../kit/text.ts'
import styles from './login-security.module.css'

/** Where a person changes how they log in; what is kept elsewhere cannot be changed here. */
export function LoginSettings() {
  const text = useMessages()
  const go = useGo()
  const { profile } = useSession()
  const ways: readonly (readonly [MessageKey, string, boolean])[] = [
    ['loginSecurity', '/profile/login-security', true],
    ['updatePassword', '/profile/setting?activeTab=PasswordUpdate', profile.source.value === 'local'],
    ['profile:updateSshKey', '/profile/setting?activeTab=SSHUpdate', profile.can_public_key_auth],
  ]
  return (
    <Card title={text('profile:authSettings')}>
      <div className={styles.buttons}>
        {ways.map(([title, address, isOpen]) => (
          <Button key={address} disabled={!isOpen} onClick={() => void go(address)}>
            {text(title)}
          </Button>
        ))}
      </div>
    </Card>
  )
}
