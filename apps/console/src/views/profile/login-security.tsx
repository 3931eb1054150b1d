import { Page } from '../../kit/page/page.tsx'
import { AuthenticatorCard } from './authenticator-card.tsx'
import { BrowsersCard } from './browsers-card.tsx'
import styles from './login-security.module.css'
import { PasskeysCard } from './passkeys-card.tsx'

/** How one logs in: authenticator app, passkeys, and the browsers that are logged in. */
export default function LoginSecurity() {
  return (
    <Page>
      <div className={styles.cards}>
        <AuthenticatorCard />
        <PasskeysCard />
        <BrowsersCard />
      </div>
    </Page>
  )
}
