import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { TextareaWidget } from '../../../kit/form/widgets/texts.tsx'
import { useMessages } from '../../../kit/text.ts'

/** The commands of a group, one a line, or its regular expression: each begins with an example of its own. */
export default function CommandContent(props: WidgetProps) {
  const text = useMessages()
  const isRegex = useFieldValue(props.form, 'type') === 'regex'
  const placeholder = text(isRegex ? 'console:commandGroupRegex' : 'console:commandGroupCommands')
  return <TextareaWidget {...props} field={{ ...props.field, placeholder }} />
}
