import { Button, Checkbox } from 'antd'
import { Dialog } from '../dialog/dialog.tsx'
import { useState } from 'react'
import { useKitText } from '../text.ts'
import type { Column } from './columns.ts'
import styles from './list.module.css'

interface ColumnSettingsProps {
  candidates: readonly Pick<Column, 'name' | 'label'>[]
  visible: readonly string[]
  locked: readonly string[]
  /** Undefined restores the default. */
  onSave: (columns: string[] | undefined) => void
  onClose: () => void
}

/** The dialog in which a person chooses a table's columns. */
export default function ColumnSettings({
  candidates,
  visible,
  locked,
  onSave,
  onClose,
}: ColumnSettingsProps) {
  const t = useKitText()
  const [chosen, setChosen] = useState<string[]>([...visible])
  const finish = (columns: string[] | undefined) => {
    onSave(columns)
    onClose()
  }
  return (
    <Dialog
      title={t('columnSettings')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={() => finish(undefined)}>{t('restoreDefault')}</Button>
          <Button type="primary" disabled={chosen.length === 0} onClick={() => finish(chosen)}>
            {t('confirm')}
          </Button>
        </>
      }
    >
      <p className={styles.hint}>{t('columnSettingsHint')}</p>
      <Checkbox.Group className={styles.columnGrid} value={chosen} onChange={setChosen}>
        {candidates.map(({ name, label }) => (
          <Checkbox key={name} value={name} disabled={locked.includes(name)}>
            {label || name}
          </Checkbox>
        ))}
      </Checkbox.Group>
    </Dialog>
  )
}
