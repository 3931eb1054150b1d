import { type Automation, automations } from '@sallyport/contract/assets/constraints'
import type { Platform } from '@sallyport/contract/resources/platforms'
import { isRecord } from '../../../kit/api/errors.ts'
import type { FieldsOf } from '../../../kit/form/form-spec.ts'
import { valueAt } from '../../../kit/form/paths.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { automates } from './platform-kind.ts'

const AutomationMethod = lazyPart(() => import('./automation-method.tsx'))

type Name = `automation.ansible_${'enabled' | 'config'}` | `automation.${Automation}_${'enabled' | 'method'}`
type Fields = NonNullable<FieldsOf<typeof Platform, never>['fields']>
type Spec = NonNullable<Fields[Name]>

const isOn = (values: Readonly<Record<string, unknown>>, name: string) =>
  valueAt(values, `automation.${name}_enabled`) === true

/** What is done to machines of a platform without anybody at the keyboard, and how: each way by itself, and all by Ansible. */
export const automationFields: Pick<Fields, Name> = {
  'automation.ansible_enabled': { disabled: (values) => !automates(values, 'ansible') },
  'automation.ansible_config': {
    hidden: (values) => !isOn(values, 'ansible'),
    toSend: (config) => (isRecord(config) ? config : {}),
  },
  ...Object.fromEntries(
    automations.flatMap((what): [Name, Spec][] => [
      [
        `automation.${what}_enabled`,
        { hidden: (values) => !isOn(values, 'ansible'), disabled: (values) => !automates(values, what) },
      ],
      [
        `automation.${what}_method`,
        {
          widget: AutomationMethod,
          hidden: (values) => !isOn(values, 'ansible') || !isOn(values, what),
        },
      ],
    ]),
  ),
}

export const automationNames = Object.keys(automationFields) as Name[]
