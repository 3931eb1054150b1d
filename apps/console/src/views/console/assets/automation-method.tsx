import { automations } from '@sallyport/contract/assets/constraints'
import { Platform } from '@sallyport/contract/resources/platforms'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { SelectWidget } from '../../../kit/form/widgets/choices.tsx'
import { useMessages } from '../../../kit/text.ts'
import { methodName, methodsOf } from './platform-kind.ts'

/** Which of the methods of its kind a platform uses for what the field is named after: `automation.ping_method`. */
export default function AutomationMethod(props: WidgetProps) {
  const text = useMessages()
  const category = useFieldValue(props.form, 'category')
  const type = useFieldValue(props.form, 'type')
  const what = automations.find((name) => props.field.name === `automation.${name}_method`)
  const methods = what === undefined ? [] : methodsOf({ category, type }, what)
  const types = useMetadata(listPath(Platform.path)).data?.actions?.POST?.['type']?.choices
  const label = types?.find(({ value }) => value === type)?.label ?? String(type)
  const choices = methods.map(({ id, name }) => ({
    value: id,
    label: what ? methodName(what, { value: type, label }, text) : name,
  }))
  return <SelectWidget {...props} field={{ ...props.field, choices }} />
}
