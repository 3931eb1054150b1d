import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { RelationsWidget } from '../../../kit/form/widgets/relations.tsx'
import { relatedItems } from '../../../kit/relation/relation.ts'
import { assetSource } from '../sources.ts'
import styles from './assets.module.css'
import ChooseAssets from './choose-assets.tsx'

/** Assets of a form: searched by name and address, or ticked in a list beside the trees. */
export default function AssetPicker(props: WidgetProps) {
  const { field, value, onChange } = props
  const { relation = assetSource } = field
  return (
    <div className={styles.picker}>
      <RelationsWidget {...props} />
      <ChooseAssets
        source={relation}
        chosen={relatedItems(value, relation)}
        disabled={props.disabled}
        onChoose={onChange}
      />
    </div>
  )
}
