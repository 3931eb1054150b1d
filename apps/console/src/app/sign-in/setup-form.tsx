import { ConfigProvider } from 'antd'
import { OtpSetup } from '../../kit/otp/otp-setup.tsx'
import { isDark, isStill } from '../../kit/theme/mode.ts'
import { themeColors } from '../../kit/theme/platform-colors.ts'
import { widgetTheme } from '../theme/widgets.ts'
import styles from './sign-in.module.css'
import { useSignInText } from './text.ts'

/** Whoever must have a second factor and has none sets it up on the way in. */
export default function SetupForm({ onDone }: { onDone: () => void }) {
  const t = useSignInText()
  return (
    <ConfigProvider
      theme={widgetTheme(themeColors(), isDark(), isStill())}
      button={{ autoInsertSpace: false }}
    >
      <p className={styles.why}>{t('mfaSetupWhy')}</p>
      <OtpSetup onDone={onDone} />
    </ConfigProvider>
  )
}
