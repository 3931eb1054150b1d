import { Label } from '@sallyport/contract/resources/assets'
import { Select } from 'antd'
import { toast } from '../../../kit/feedback/toast.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import type { RelationSource } from '../../../kit/relation/relation.ts'
import { useCandidates } from '../../../kit/relation/use-candidates.ts'
import { useOpenedList } from '../../../kit/relation/use-opened-list.ts'
import { useMessages } from '../../../kit/text.ts'
import { type AssetLabel, labelsOf, labelText } from './labels.ts'

const source: RelationSource = { path: Label.path, query: { fields_size: 'small' } }
const newLabel = /^\s*([^:]+):(.+)$/u

/** The labels of an asset: known ones, and new ones written as `name:value`. */
export default function AssetLabels({ id, value, onChange, onBlur, disabled, describedBy }: WidgetProps) {
  const text = useMessages()
  const list = useOpenedList()
  const candidates = useCandidates(source, list.open)
  const chosen = labelsOf(value)
  const known = [...chosen, ...labelsOf(candidates.rows)]
  const pick = (shown: string): AssetLabel[] => {
    const found = known.find((label) => labelText(label) === shown)
    if (found) return [found]
    const [, name, own] = newLabel.exec(shown) ?? []
    if (name !== undefined && own !== undefined) return [{ name: name.trim(), value: own.trim() }]
    toast.error(text('console:labelFormat'))
    return []
  }
  return (
    <Select
      id={id}
      mode="tags"
      aria-describedby={describedBy}
      value={chosen.map(labelText)}
      disabled={disabled}
      placeholder={text('console:labelHint')}
      options={[...new Set(known.map(labelText))].map((shown) => ({ value: shown, label: shown }))}
      showSearch={{ onSearch: candidates.search }}
      style={{ width: '100%' }}
      {...list}
      onBlur={onBlur}
      onChange={(shown: string[]) => onChange(shown.flatMap(pick))}
    />
  )
}
