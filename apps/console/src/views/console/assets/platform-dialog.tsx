import { Platform } from '@sallyport/contract/resources/platforms'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useList } from '../../../kit/api/hooks.ts'
import { describeError } from '../../../kit/feedback/errors.ts'
import { readStored, writeStored } from '../../../kit/storage/storage.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import styles from './assets.module.css'

const recentKey = 'RecentPlatforms'
const recentAtMost = 8
const platformsAtMost = 100

function recentIds(): number[] {
  const stored = readStored(recentKey)
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'number') : []
}

/** Which kind of machine is to be added. */
export default function PlatformDialog({
  onChoose,
  onClose,
}: {
  onChoose: (id: number) => void
  onClose: () => void
}) {
  const t = useKitText()
  const text = useMessages()
  // Machines alone: the other kinds of asset cannot be connected to yet.
  const { data, error } = useList<Platform>(Platform.path, { category: 'host', limit: platformsAtMost })
  const all = data?.results ?? []
  const recent = recentIds().flatMap((id) => all.find((platform) => platform.id === id) ?? [])
  const types = [...new Set(all.map((platform) => platform.type.label))]
  const groups: (readonly [string, readonly Platform[]])[] = [
    ...(recent.length > 0 ? [[text('recentlyUsed'), recent] as const] : []),
    ...types.map((type) => [type, all.filter((platform) => platform.type.label === type)] as const),
  ]
  const choose = (id: number) => {
    writeStored(recentKey, [id, ...recentIds().filter((other) => other !== id)].slice(0, recentAtMost))
    onChoose(id)
  }
  return (
    <Dialog open title={text('choosePlatform')} footer={null} loading={!data && !error} onCancel={onClose}>
      {error && <p role="alert">{describeError(error, t)}</p>}
      {groups.map(([title, platforms]) => (
        <section key={title} aria-label={title}>
          <h3 className={styles.group}>{title}</h3>
          <ul className={styles.platforms}>
            {platforms.map((platform) => (
              <li key={platform.id}>
                <button type="button" onClick={() => choose(platform.id)}>
                  {platform.name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  )
}
