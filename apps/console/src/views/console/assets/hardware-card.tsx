import type { Asset } from '@sallyport/contract/resources/assets'
import { useAccess } from '../../../kit/access/access.ts'
import { Card } from '../../../kit/detail/card.tsx'
import { Lines } from '../../../kit/detail/lines.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { hardwarePath, useHardware } from './hardware.ts'

/** What is known of a host's hardware, and the way to correct it. */
export default function HardwareCard({ asset }: { asset: Pick<Asset, 'id' | 'info'> }) {
  const t = useKitText()
  const text = useMessages()
  const { can, inRoot } = useAccess()
  const known = useHardware(asset.info)
  return (
    <Card
      title={text('hardware')}
      extra={can('assets.change_asset') && !inRoot && <Link to={hardwarePath(asset.id)}>{t('update')}</Link>}
    >
      {known.length > 0 ? (
        <Lines lines={known.map(([label, value]) => ({ key: label, label, value }))} />
      ) : (
        <p>{t('noData')}</p>
      )}
    </Card>
  )
}
