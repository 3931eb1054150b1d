import { Endpoints } from '@sallyport/contract/resources/components'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../kit/api/call.ts'
import { useSession } from '../../kit/session/session.ts'
import type { ShellMessage } from '../../kit/text.ts'
import styles from './downloads.module.css'

interface Program {
  name: string
  purpose: ShellMessage
  systems: string
  address: string
}

/** What its makers offer, at addresses of theirs. */
const programs: readonly Program[] = [
  {
    name: 'OpenSSH',
    purpose: 'forSsh',
    systems: 'Linux, macOS, Windows',
    address: 'https://www.openssh.com/',
  },
  {
    name: 'PuTTY',
    purpose: 'forSsh',
    systems: 'Windows',
    address: 'https://www.chiark.greenend.org.uk/~sgtatham/putty/',
  },
  {
    name: 'Windows Terminal',
    purpose: 'forTerminal',
    systems: 'Windows',
    address: 'https://github.com/microsoft/terminal',
  },
  { name: 'Termius', purpose: 'forSsh', systems: 'Android, iOS', address: 'https://termius.com/' },
  { name: 'FreeOTP', purpose: 'forCodes', systems: 'Android, iOS', address: 'https://freeotp.github.io/' },
  { name: 'Aegis', purpose: 'forCodes', systems: 'Android', address: 'https://getaegis.app/' },
]

/** Programs people connect with, and where to get them: a page of its own, whose links leave the platform only when they are followed. */
export default function DownloadsPage() {
  const { t } = useTranslation()
  const { profile, settings } = useSession()
  const title = t('downloads')
  const { data: endpoint } = useQuery({
    queryKey: ['endpoint', 'ssh'],
    queryFn: ({ signal }) => call(Endpoints, 'smart', { query: { protocol: 'ssh' } }, { signal }),
    enabled: settings.TERMINAL_KOKO_SSH_ENABLED,
  })
  useEffect(() => {
    document.title = `${title} - ${settings.INTERFACE.login_title}`
  }, [title, settings])
  return (
    <main className={styles.page}>
      <h1>{title}</h1>
      {endpoint && (
        <section aria-labelledby="connect">
          <h2 id="connect">{t('downloadsConnect')}</h2>
          <p>{t('downloadsConnectHint')}</p>
          <code>{`ssh ${profile.username}@${endpoint.host} -p ${String(endpoint.ssh_port)}`}</code>
        </section>
      )}
      <p>{t('downloadsIntro')}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('downloadsProgram')}</th>
            <th scope="col">{t('downloadsPurpose')}</th>
            <th scope="col">{t('downloadsSystems')}</th>
            <th scope="col">{t('downloadsAddress')}</th>
          </tr>
        </thead>
        <tbody>
          {programs.map(({ name, purpose, systems, address }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{t(purpose)}</td>
              <td>{systems}</td>
              <td>
                <a href={address} target="_blank" rel="noopener noreferrer">
                  {address}
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}
