import { defaultAutomation } from '@sallyport/contract/assets/constraints'
import { assetCategories, assetTypes } from '@sallyport/contract/assets/types'
import { Platform } from '@sallyport/contract/resources/platforms'
import { isRecord } from '../../../kit/api/errors.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { automationFields, automationNames } from './platform-automation.ts'
import { kindOf } from './platform-kind.ts'

const PlatformProtocols = lazyPart(() => import('./platform-protocols.tsx'))

/** The protocols of a copy are new ones; those of the platform it was copied from keep their ids. */
function withoutIds(protocols: unknown): unknown {
  return Array.isArray(protocols) ? protocols.filter(isRecord).map(({ id: _id, ...row }) => row) : protocols
}

/** A name of a platform holds letters, digits, `_`, `+` and `-`. */
const copyName = (name: unknown) => `${String(name).replaceAll(/[^\p{L}\p{N}_+-]+/gu, '-')}-copy`

/** What a new platform of a kind begins with. */
function beginning(search: URLSearchParams) {
  const category = assetCategories.values.find((value) => value === search.get('category'))
  const type = assetTypes.values.find((value) => value === search.get('type'))
  const kind = kindOf({ category, type })
  return {
    category,
    type,
    domain_enabled: kind?.domain_enabled ?? true,
    su_enabled: false,
    ...(category && type && { automation: defaultAutomation(category, type) }),
  } as const
}

export const platformForm = resourceForm(Platform, {
  groups: [
    ['basic', ['name', 'category', 'type', 'charset', 'domain_enabled']],
    ['console:configGroup', ['protocols', 'su_enabled', 'su_method']],
    ['console:automation', automationNames],
    ['other', ['comment']],
  ],
  fields: {
    ...automationFields,
    name: { copied: copyName },
    category: { disabled: true },
    type: { disabled: true },
    charset: { required: true, hidden: (values) => kindOf(values)?.charset_enabled === false },
    domain_enabled: { disabled: (values) => kindOf(values)?.domain_enabled === false },
    protocols: {
      widget: PlatformProtocols,
      columns: {
        name: {},
        port: { required: true },
        required: { widget: 'checkbox', label: 'console:protocolRequired' },
        default: { widget: 'checkbox', label: 'console:protocolDefault' },
      },
      toSend: (protocols, { updating }) => (updating ? protocols : withoutIds(protocols)),
    },
    su_enabled: { disabled: (values) => kindOf(values)?.su_enabled === false },
    su_method: { hidden: (values) => values.su_enabled !== true },
  },
  presets: (search) => ({ initial: beginning(search) }),
  describedBy: (values) =>
    values.category
      ? `${Platform.path}/?category=${values.category}&type=${values.type ?? ''}`
      : listPath(Platform.path),
})
