import { SettingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import type { FormValues } from '../../../kit/form/paths.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useMessages } from '../../../kit/text.ts'
import { idOf, type PlatformProtocol, usePlatform } from './platform.ts'
import { type OfferedProtocol, ProtocolRows } from './protocol-rows.tsx'

const ProtocolSettings = lazyPart(() => import('./protocol-settings.tsx'))

/** The protocols of an asset: those its platform offers, with what the platform says of them. */
export default function AssetProtocols(props: WidgetProps) {
  const text = useMessages()
  const { data: platform } = usePlatform(idOf(useFieldValue(props.form, 'platform')))
  const [shown, setShown] = useState<PlatformProtocol>()
  const protocols = platform?.protocols ?? []
  const offered = protocols.map(({ name, port, primary, required }): OfferedProtocol => ({
    name,
    port,
    fixed: primary || required,
  }))
  const settings = (row: FormValues) => {
    const protocol = protocols.find(({ name }) => name === row['name'])
    return (
      protocol && (
        <Button
          type="text"
          icon={<SettingOutlined aria-hidden />}
          aria-label={text('protocolSettings', { name: protocol.name })}
          title={text('protocolSettings', { name: protocol.name })}
          onClick={() => setShown(protocol)}
        />
      )
    )
  }
  return (
    <>
      <ProtocolRows {...props} offered={offered} rowControl={settings} />
      {shown && platform && (
        <Suspense>
          <ProtocolSettings platform={platform} protocol={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  )
}
