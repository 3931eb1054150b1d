import { Button } from 'antd'
import type { Labeled } from '@sallyport/contract/resource/field'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { nothing } from '../../../kit/values/plain-value.ts'
import styles from './accounts.module.css'

/** What became of one asset an account was added to. */
export interface Added {
  asset: { id?: string; name?: string; address?: string }
  state: Labeled<string>
  error: string | null
}

/** So many are named; those nothing was done for come first. */
const shown = 100
const order = ['error', 'skipped', 'updated', 'created']

/** Tells for each asset what became of it. */
export function AddedDialog({ added, onClose }: { added: readonly Added[]; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const count = (state: string) => added.filter((one) => one.state.value === state).length
  const rows = added
    .toSorted((a, b) => order.indexOf(a.state.value) - order.indexOf(b.state.value))
    .slice(0, shown)
  return (
    <Dialog
      title={text('console:accountsAdded')}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('confirm')}
        </Button>
      }
    >
      <p role="status">
        {text('console:accountsAddedCount', {
          created: count('created'),
          updated: count('updated'),
          skipped: count('skipped'),
          failed: count('error'),
        })}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{text('console:assetName')}</th>
            <th>{text('console:address')}</th>
            <th>{text('console:outcome')}</th>
            <th>{t('reason')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ asset, state, error }) => (
            <tr key={asset.id}>
              <td>{asset.name}</td>
              <td>{asset.address}</td>
              <td>{state.label}</td>
              <td>{error ?? nothing}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
