import { MinusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ComponentType, useState } from 'react'
import type { RowId } from '../api/resource.ts'
import { useErrorToast } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { type ChooserProps, type Related, relatedItems, type RelationSource } from '../relation/relation.ts'
import { RelationSelect } from '../relation/relation-select.tsx'
import { useResolvedRows } from '../relation/use-candidates.ts'
import { labelOf } from '../relation/relation.ts'
import { useKitText } from '../text.ts'
import { useUnsaved } from '../unsaved/unsaved.ts'
import { Card } from './card.tsx'
import styles from './detail.module.css'

interface RelationCardProps {
  title: string
  source: RelationSource
  /** What is related now: rows or ids; left out where that is told elsewhere. */
  value?: unknown
  /** Both make the change and bring the row up to date; what is left out is closed. */
  add: ((ids: RowId[]) => Promise<unknown>) | undefined
  remove: ((id: RowId) => Promise<unknown>) | undefined
  /** Beside the select. */
  chooser?: ComponentType<ChooserProps> | undefined
}

const shownAtOnce = 10

/** What a row is related to, with a select to add and a button at each to take away. */
export function RelationCard({ title, source, value, add, remove, chooser: Chooser }: RelationCardProps) {
  const t = useKitText()
  const showError = useErrorToast()
  const [chosen, setChosen] = useState<Related[]>([])
  const [shown, setShown] = useState(shownAtOnce)
  const [busy, setBusy] = useState(false)
  const items = relatedItems(value, source)
  const taken = new Set(items.map((item) => String(item.id)))
  const isChoosing = chosen.length > 0
  useUnsaved(isChoosing)
  const nameless = items.flatMap((item) => (item.id !== undefined && !item.label ? [item.id] : []))
  const resolved = useResolvedRows(source, nameless)
  const run = async (work: () => Promise<unknown>, message: string) => {
    setBusy(true)
    try {
      await work()
      toast.success(message)
      setChosen([])
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const nameOf = (item: Related) => {
    const row = resolved?.find((candidate) => candidate.id === item.id)
    // An id says nothing to a person: while names are asked for there is none, and one that nobody knows is all there is.
    return item.label ?? (row && labelOf(row, source)) ?? (resolved && (item.name ?? String(item.id)))
  }
  return (
    <Card title={title}>
      <div className={styles.relation}>
        <div className={styles.relationAdd}>
          <RelationSelect
            label={title}
            multiple
            source={source}
            value={chosen}
            disabled={!add}
            taken={taken}
            onChange={(next) => setChosen(Array.isArray(next) ? next : [])}
          />
          {Chooser && (
            <Chooser
              source={source}
              chosen={chosen}
              disabled={!add}
              onChoose={(rows) => setChosen(rows.filter(({ id }) => !taken.has(String(id))))}
            />
          )}
          <Button
            type="primary"
            loading={busy}
            disabled={!add || !isChoosing}
            onClick={() =>
              add && void run(() => add(chosen.flatMap((item) => item.id ?? [])), t('addSuccess'))
            }
          >
            {t('add')}
          </Button>
        </div>
        <ul>
          {items.slice(0, shown).map((item) => {
            const name = nameOf(item)
            return (
              <li key={String(item.id)}>
                {name === undefined ? <i className={styles.nameless} aria-hidden /> : <span>{name}</span>}
                <Button
                  size="small"
                  danger
                  type="primary"
                  icon={<MinusOutlined aria-hidden />}
                  disabled={!remove || busy || name === undefined}
                  aria-label={t('removeOne', { name: name ?? '' })}
                  onClick={() => {
                    const { id } = item
                    if (remove && id !== undefined) {
                      void run(() => remove(id), t('removeSuccess'))
                    }
                  }}
                />
              </li>
            )
          })}
        </ul>
        {items.length > shown && (
          <Button block onClick={() => setShown(shown + shownAtOnce)}>
            {t('more')} ({items.length - shown})
          </Button>
        )}
        {items.length === 0 && value !== undefined && <p className={styles.none}>{t('noData')}</p>}
      </div>
    </Card>
  )
}
