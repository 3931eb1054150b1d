import type { Category } from '@sallyport/contract/assets/types'
import { Platform } from '@sallyport/contract/resources/platforms'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useList } from '../../../kit/api/hooks.ts'
import { describeError } from '../../../kit/feedback/errors.ts'
import { readStored, writeStored } from '../../../kit/storage/storage.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import styles from './assets.module.css'
import { categories } from './categories.ts'

const recentKey = 'RecentPlatforms'
const recentAtMost = 8
const platformsAtMost = 1000

function recentIds(): number[] {
  const stored = readStored(recentKey)
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'number') : []
}

/** What kind of asset is to be added: of one category, grouped by type, or of all, grouped by category. */
export default function PlatformDialog({
  category,
  onChoose,
  onClose,
}: {
  category?: Category
  onChoose: (platform: Platform) => void
  onClose: () => void
}) {
  const t = useKitText()
  const text = useMessages()
  const { data, error } = useList<Platform>(Platform.path, {
    ...(category && { category }),
    limit: platformsAtMost,
  })
  // In the order of the tabs.
  const places = categories.map((one) => one.category)
  const all = (data?.results ?? []).toSorted(
    (a, b) => places.indexOf(a.category.value) - places.indexOf(b.category.value),
  )
  const recent = recentIds().flatMap((id) => all.find((platform) => platform.id === id) ?? [])
  const groupOf = (platform: Platform) => (category ? platform.type : platform.category).label
  const groups: (readonly [string, readonly Platform[]])[] = [
    ...(recent.length > 0 ? [[text('console:recentlyUsed'), recent] as const] : []),
    ...Map.groupBy(all, groupOf),
  ]
  const choose = (platform: Platform) => {
    const { id } = platform
    writeStored(recentKey, [id, ...recentIds().filter((other) => other !== id)].slice(0, recentAtMost))
    onChoose(platform)
  }
  return (
    <Dialog title={text('console:choosePlatform')} footer={null} loading={!data && !error} onCancel={onClose}>
      {error && <p role="alert">{describeError(error, t)}</p>}
      {groups.map(([title, platforms], index) => (
        <details key={title} className={styles.group} open={index === 0}>
          <summary>{title}</summary>
          <ul className={styles.platforms}>
            {platforms.map((platform) => (
              <li key={platform.id}>
                <button type="button" onClick={() => choose(platform)}>
                  {platform.name}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Dialog>
  )
}
