import { ApartmentOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { RelationsWidget } from '../../../kit/form/widgets/relations.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { relatedItems } from '../../../kit/relation/relation.ts'
import { useMessages } from '../../../kit/text.ts'
import { assetSource } from '../sources.ts'
import styles from './assets.module.css'

const AssetDialog = lazyPart(() => import('./asset-dialog.tsx'))

/** Assets of a form: searched by name and address, or ticked in a list beside the trees. */
export default function AssetPicker(props: WidgetProps) {
  const text = useMessages()
  const [open, setOpen] = useState(false)
  const { field, value, onChange } = props
  const { relation = assetSource } = field
  return (
    <div className={styles.picker}>
      <RelationsWidget {...props} />
      <Button
        icon={<ApartmentOutlined aria-hidden />}
        aria-label={text('chooseAssets')}
        title={text('chooseAssets')}
        disabled={props.disabled}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <AssetDialog
            title={text('chooseAssets')}
            source={relation}
            chosen={relatedItems(value, relation)}
            onChoose={onChange}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
