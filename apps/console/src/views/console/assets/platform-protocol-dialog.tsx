import { settingDefaults, specOf } from '@sallyport/contract/assets/protocols'
import { Platform } from '@sallyport/contract/resources/platforms'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { type FormValues, valueAt } from '../../../kit/form/paths.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { settingsOf } from './setting-names.ts'

const fields = {
  required: { label: 'console:protocolRequired', help: 'console:protocolRequiredHelp' },
  default: { label: 'console:protocolDefault', help: 'console:protocolDefaultHelp' },
  'setting.sftp_home': {
    hidden: (values: FormValues) => valueAt(values, 'setting.sftp_enabled') !== true,
  },
} as const

/** How a platform has its assets reached by one of its protocols; what is changed is sent with the platform. */
export default function PlatformProtocolDialog({
  protocol,
  onChange,
  onClose,
}: {
  /** A row of the platform's form. */
  protocol: FormValues
  onChange: (protocol: FormValues) => void
  onClose: () => void
}) {
  const t = useKitText()
  const text = useMessages()
  const { data } = useMetadata(listPath(Platform.path))
  const metas = data?.actions?.POST?.['protocols']?.child?.children
  const name = String(protocol['name'])
  const own = isRecord(protocol['setting']) ? protocol['setting'] : {}
  const setting = { ...settingDefaults, ...specOf(name)?.setting, ...own }
  const settings = (settingsOf[name] ?? []).map((one) => `setting.${one}`)
  return (
    <Dialog
      title={text('console:protocolSettings', { name })}
      footer={null}
      loading={metas === undefined}
      onCancel={onClose}
    >
      <Form
        groups={[
          ['basic', ['required', 'default']],
          ...(settings.length > 0 ? [['console:loginConfig', settings] as const] : []),
        ]}
        fields={fields}
        metas={metas ?? {}}
        initial={{ ...protocol, setting }}
        updating={false}
        submitText={t('confirm')}
        onSubmit={async ({ setting: changed, ...shown }) =>
          onChange({ ...protocol, ...shown, setting: { ...setting, ...(isRecord(changed) ? changed : {}) } })
        }
        onSaved={onClose}
      />
    </Dialog>
  )
}
