import { automations } from '@sallyport/contract/assets/constraints'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { SelectWidget } from '../../../kit/form/widgets/choices.tsx'
import { methodsOf } from './platform-kind.ts'

/** Which of the methods of its kind a platform uses for what the field is named after: `automation.ping_method`. */
export default function AutomationMethod(props: WidgetProps) {
  const category = useFieldValue(props.form, 'category')
  const type = useFieldValue(props.form, 'type')
  const what = automations.find((name) => props.field.name === `automation.${name}_method`)
  const methods = what === undefined ? [] : methodsOf({ category, type }, what)
  const choices = methods.map(({ id, name }) => ({ value: id, label: name }))
  return <SelectWidget {...props} field={{ ...props.field, choices }} />
}
