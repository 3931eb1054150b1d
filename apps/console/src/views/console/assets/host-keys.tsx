import type { Asset } from '@sallyport/contract/resources/assets'
import { HostKey } from '@sallyport/contract/resources/host-keys'
import type { Action } from '../../../kit/actions/action.ts'
import { calling } from '../../../kit/actions/calling.ts'
import { changePermission } from '../../../kit/api/resource.ts'
import type { DetailTab } from '../../../kit/detail/detail-page.tsx'
import { related } from '../../../kit/detail/parts.tsx'
import type { Text, TextKey } from '../../../kit/text.ts'
import styles from './assets.module.css'

export const hostKeysTab = 'HostKeys'

/** The question before a decision: what it means, and about which key. */
const question = (key: HostKey | undefined, text: Text, means: TextKey) =>
  key && (
    <>
      <p>{text(means, { address: key.address })}</p>
      <code className={styles.fingerprint}>{key.fingerprint}</code>
    </>
  )

const accept: Action<HostKey> = {
  ...calling(HostKey, 'accept'),
  title: 'console:hostKeyAccept',
  permission: changePermission(HostKey),
  when: ({ state }) => state.value !== 'accepted',
  confirm: { content: ([key], text) => question(key, text, 'console:hostKeyAcceptMeans') },
  done: 'console:hostKeyAcceptDone',
}

const refuse: Action<HostKey> = {
  ...calling(HostKey, 'refuse'),
  title: 'console:hostKeyRefuse',
  permission: changePermission(HostKey),
  danger: true,
  when: ({ state }) => state.value !== 'refused',
  confirm: {
    content: ([key], text) =>
      question(
        key,
        text,
        key?.state.value === 'accepted' ? 'console:hostKeyRefuseAcceptedMeans' : 'console:hostKeyRefuseMeans',
      ),
  },
  done: 'console:hostKeyRefuseDone',
}

/** What the machine showed to prove who it is, and what was decided of it. */
export const hostKeys: DetailTab<Asset> = {
  name: hostKeysTab,
  title: 'console:hostKeys',
  main: related(HostKey, {
    by: 'asset',
    exclude: ['id', 'asset', 'key', 'org_id', 'org_name'],
    defaultColumns: ['address', 'algorithm', 'fingerprint', 'state', 'date_created', 'updated_by'],
    minColumns: ['address', 'fingerprint', 'state'],
    cells: {
      fingerprint: {
        wrap: true,
        render: (key) => <code className={styles.fingerprint}>{key.fingerprint}</code>,
      },
      date_created: { label: 'console:hostKeyFirstSeen' },
    },
    rowActions: [accept, refuse],
  }),
}
