import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n/index.ts'
import { historyAddress, isPasswordAddress, isSignInAddress } from './addresses.ts'
import './base.css'
import { filesToCome } from './sign-in/files-to-come.ts'
import { tellLogin } from '../kit/session/login-channel.ts'
import { fetchWhenIdle } from '../kit/loading/when-idle.ts'
import { startTextFont } from '../kit/theme/fonts.ts'
import { startTheme } from '../kit/theme/paint.ts'

startTheme()

const oldLink = historyAddress(location.hash)
if (oldLink !== undefined) history.replaceState(null, '', oldLink)

const container = document.querySelector('#root')
if (container === null) throw new Error('the page has no place for the console')
const root = createRoot(container)

if (isSignInAddress(location.pathname)) {
  const [{ SignInPage }] = await Promise.all([
    import('./sign-in/sign-in-page.tsx'),
    startI18n(['sign-in', 'kit']),
    startTextFont(),
  ])
  tellLogin(null)
  root.render(<SignInPage />)
  fetchWhenIdle(filesToCome())
} else if (isPasswordAddress(location.pathname)) {
  const [{ ForgottenPage }] = await Promise.all([
    import('./sign-in/forgotten-page.tsx'),
    startI18n(['sign-in', 'kit']),
    startTextFont(),
  ])
  root.render(<ForgottenPage />)
} else {
  const [{ loadApp }] = await Promise.all([import('./app.tsx'), startI18n(['shell', 'kit']), startTextFont()])
  root.render(await loadApp())
}
