import type { Platform } from '@sallyport/contract/resources/platforms'
import { Suspense, useEffect, useState } from 'react'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import type { FormValues } from '../../../kit/form/paths.ts'
import { isEmpty } from '../../../kit/form/rules.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { idOf, type PlatformProtocol, usePlatform } from './platform.ts'
import { type OfferedProtocol, ProtocolRows } from './protocol-rows.tsx'
import { SettingsButton } from './settings-button.tsx'

const ProtocolSettings = lazyPart(() => import('./protocol-settings.tsx'))

const beginningOf = ({ protocols }: Platform) =>
  protocols
    .filter(({ primary, required, default: isDefault }) => primary || required || isDefault)
    .map(({ name, port }) => ({ name, port }))

/** The protocols of an asset: those its platform offers, with what the platform says of them. */
export default function AssetProtocols(props: WidgetProps) {
  const { data: platform } = usePlatform(idOf(useFieldValue(props.form, 'platform')))
  const [shown, setShown] = useState<PlatformProtocol>()
  const { form, value, onChange } = props
  const lacksAll = isEmpty(value)
  useEffect(() => {
    // Of another platform an asset begins with what that one asks for and offers first; of its own with what it has.
    if (platform && lacksAll)
      onChange(idOf(form.state.base['platform']) === platform.id ? undefined : beginningOf(platform))
  }, [platform, lacksAll, form, onChange])
  const protocols = platform?.protocols ?? []
  const offered = protocols.map(({ name, port, primary, required }): OfferedProtocol => ({
    name,
    port,
    fixed: primary || required,
  }))
  const settings = (row: FormValues) => {
    const protocol = protocols.find(({ name }) => name === row['name'])
    return protocol && <SettingsButton name={protocol.name} onClick={() => setShown(protocol)} />
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
