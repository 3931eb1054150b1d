import type { Asset } from '@sallyport/contract/resources/assets'
import type { Platform } from '@sallyport/contract/resources/platforms'
import { Tag } from 'antd'
import { useAccess } from '../../../kit/access/access.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { Link } from '../../../kit/routes/navigation.tsx'
import { connectivityCell } from '../../../kit/status/connectivity.tsx'
import { useKitText } from '../../../kit/text.ts'
import { Explained } from '../../../kit/values/explained.tsx'
import { nothing, plainValue } from '../../../kit/values/plain-value.ts'
import styles from './assets.module.css'
import { hardwarePath, useHardware } from './hardware.ts'

const tags = (words: readonly string[]) =>
  words.length === 0 ? (
    nothing
  ) : (
    <span className={styles.tags}>
      {words.map((word) => (
        <Tag key={word}>{word}</Tag>
      ))}
    </span>
  )

/** Protocols as words: `ssh/22`. */
export const protocolTags = (protocols: Asset['protocols'] | Platform['protocols']) =>
  tags(protocols.map(({ name, port }) => (port ? `${name}/${port}` : name)))

export const labelTags = (labels: Asset['labels']) =>
  tags(labels.map(({ name, value }) => `${name}:${value}`))

/** What is known of the hardware, in short: `4 Core 8G 100G`; leads to where it is corrected. */
function Hardware({ id, info }: { id: string; info: unknown }) {
  const t = useKitText()
  const { can, inRoot } = useAccess()
  const title = useHardware(info)
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n')
  if (!isRecord(info) || !info['cpu_count']) return nothing
  const cores = info['cpu_vcpus'] || Number(info['cpu_cores']) * Number(info['cpu_count'])
  const [core, memory, disk] = [cores, info['memory'], info['disk_total']].map((part) => plainValue(part, t))
  const short = `${core} Core ${memory}G ${disk}G`
  return can('assets.refresh_assethardwareinfo') && can('assets.change_asset') && !inRoot ? (
    <Link to={hardwarePath(id)} title={title}>
      {short}
    </Link>
  ) : (
    <span title={title}>{short}</span>
  )
}

/** Full paths of nodes in one line, as far as there is room, and one below the other as a tooltip. */
const Paths = ({ paths }: { paths: readonly string[] }) =>
  paths.length === 0 ? (
    nothing
  ) : (
    <Explained
      className={styles.paths}
      title={paths.map((path) => (
        <div key={path}>{path}</div>
      ))}
    >
      <bdi>{paths.join(', ')}</bdi>
    </Explained>
  )

/** Cells every list of assets shows alike. */
export const assetCells = {
  platform: { leastPx: 72 },
  protocols: { leastPx: 74, render: (row: Pick<Asset, 'protocols'>) => protocolTags(row.protocols) },
  labels: { render: (row: Pick<Asset, 'labels'>) => labelTags(row.labels) },
  connectivity: { ...connectivityCell, widthPx: 88 },
  address: { widthPx: 114 },
  nodes_display: {
    leastPx: 68,
    // Short rows do not tell them.
    render: (row: Partial<Pick<Asset, 'nodes_display'>>) => <Paths paths={row.nodes_display ?? []} />,
  },
  info: { render: (row: Pick<Asset, 'id' | 'info'>) => <Hardware id={row.id} info={row.info} /> },
}
