import { RelationSelect } from '../../relation/relation-select.tsx'
import type { WidgetProps } from '../form-spec.ts'

function relationProps({ id, value, onChange, onBlur, field, disabled, invalid, describedBy }: WidgetProps) {
  return {
    id,
    value,
    onChange,
    onBlur,
    disabled,
    invalid,
    describedBy,
    source: field.relation,
    placeholder: field.placeholder,
  }
}

export function RelationWidget(props: WidgetProps) {
  return <RelationSelect {...relationProps(props)} multiple={false} />
}

export function RelationsWidget(props: WidgetProps) {
  return <RelationSelect {...relationProps(props)} multiple />
}
