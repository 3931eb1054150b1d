import { Licence } from '@sallyport/contract/resources/license'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { useMetadata } from '../../kit/api/hooks.ts'
import { pathOfOne } from '../../kit/api/one.ts'
import { ask } from '../../kit/confirm/ask.ts'
import { Card, Columns } from '../../kit/detail/card.tsx'
import { Lines } from '../../kit/detail/lines.tsx'
import { QuickLine, QuickLines } from '../../kit/detail/quick-lines.tsx'
import { toast } from '../../kit/feedback/toast.ts'
import { FormWaiting } from '../../kit/form/form-states.tsx'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { Page } from '../../kit/page/page.tsx'
import { refreshLicence, useLicence } from '../../kit/session/licence.ts'
import { useSession } from '../../kit/session/session.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import { nothing } from '../../kit/values/plain-value.ts'
import { refreshSettings } from '../../kit/session/refresh-settings.ts'

const LicenceDialog = lazyPart(() => import('./licence-dialog.tsx'))

/** Which edition this is, and the licence that makes it so. */
export default function LicensePage() {
  const text = useMessages()
  const { settings } = useSession()
  const licence = useLicence()
  if (licence === undefined)
    return (
      <Page>
        <FormWaiting />
      </Page>
    )
  return (
    <Page help={settings.XPACK_LICENSE_IS_VALID ? undefined : text('settings:licenceNone')}>
      <Columns main={<LicenceCard licence={licence} />} side={<LicenceActions licence={licence} />} />
    </Page>
  )
}

const isHeld = ({ corporation }: Licence) => corporation !== ''

function LicenceCard({ licence }: { licence: Licence }) {
  const text = useMessages()
  const t = useKitText()
  const metas = useMetadata(pathOfOne(Licence)).data?.actions?.GET ?? {}
  const { date_expired, asset_count: limit, current_asset_count: used } = licence
  const line = (name: keyof Licence, value: string = String(licence[name] ?? '')) => ({
    key: name,
    label: metas[name]?.label ?? name,
    value: value || nothing,
  })
  const lines = isHeld(licence)
    ? [
        line('subscription_id'),
        line('corporation'),
        line('date_expired', date_expired || text('licenceNoLimit')),
        line(
          'asset_count',
          limit === null
            ? text('licenceAssetsNoLimit', { used })
            : text('licenceAssetsUsed', { used, limit }),
        ),
        line('edition'),
        line('serial_no'),
        line('remark'),
      ]
    : [{ key: 'edition', label: text('settings:licenceEdition'), value: text('communityEdition') }]
  return (
    <Card title={t('basicInfo')}>
      <Lines lines={lines} />
    </Card>
  )
}

function LicenceActions({ licence }: { licence: Licence }) {
  const text = useMessages()
  const t = useKitText()
  const client = useQueryClient()
  const { settings } = useSession()
  const [isImporting, setImporting] = useState(false)
  const refresh = () => Promise.all([refreshSettings(), refreshLicence(client)])
  const remove = async () => {
    await call(Licence, 'remove', {})
    await refresh()
    toast.success(text('settings:licenceRemoved'))
  }
  const support = settings.HELP_SUPPORT_URL
  return (
    <Card title={t('quickUpdate')}>
      <QuickLines>
        <QuickLine title={text('settings:importLicence')}>
          <Button size="small" type="primary" onClick={() => setImporting(true)}>
            {t('import')}
          </Button>
        </QuickLine>
        <QuickLine title={text('settings:removeLicence')}>
          <Button
            size="small"
            type="primary"
            danger
            disabled={!isHeld(licence)}
            onClick={() =>
              ask({
                title: text('settings:removeLicence'),
                content: text('settings:removeLicenceAsk'),
                confirmText: text('settings:removeLicence'),
                danger: true,
                onConfirm: remove,
              })
            }
          >
            {t('remove')}
          </Button>
        </QuickLine>
        {/^https?:\/\//iu.test(support) && (
          <QuickLine title={text('settings:technologyConsult')}>
            <a href={support} target="_blank" rel="noopener noreferrer">
              {support}
            </a>
          </QuickLine>
        )}
      </QuickLines>
      {isImporting && (
        <Suspense>
          <LicenceDialog
            onImported={() => {
              setImporting(false)
              toast.success(text('settings:licenceImported'))
              void refresh()
            }}
            onClose={() => setImporting(false)}
          />
        </Suspense>
      )}
    </Card>
  )
}
