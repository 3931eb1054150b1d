import { ApartmentOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import type { ChooserProps } from '../../../kit/relation/relation.ts'
import { useMessages } from '../../../kit/text.ts'

const AssetDialog = lazyPart(() => import('./asset-dialog.tsx'))

/** Opens a list beside the trees to tick assets in. */
export default function ChooseAssets({ source, chosen, disabled, onChoose }: ChooserProps) {
  const text = useMessages()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={<ApartmentOutlined aria-hidden />}
        aria-label={text('console:chooseAssets')}
        title={text('console:chooseAssets')}
        disabled={disabled}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <AssetDialog
            title={text('console:chooseAssets')}
            source={source}
            chosen={chosen}
            onChoose={onChoose}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
