import { type ComponentType } from 'react'
import { lazyPart } from '../../loading/lazy-part.tsx'
import type { WidgetName, WidgetProps } from '../form-spec.ts'
import { MultipleWidget, RadioWidget, SelectWidget } from './choices.tsx'
import { ListWidget } from './list.tsx'
import { NumberWidget } from './number.tsx'
import { PhoneWidget } from './phone.tsx'
import { RelationsWidget, RelationWidget } from './relations.tsx'
import {
  CheckboxWidget,
  EmailWidget,
  PasswordWidget,
  SwitchWidget,
  TextareaWidget,
  TextWidget,
} from './texts.tsx'

/** The kit's widgets by name; the heavy ones are loaded with the first form that has them. */
export const widgets: Record<WidgetName, ComponentType<WidgetProps>> = {
  text: TextWidget,
  textarea: TextareaWidget,
  email: EmailWidget,
  password: PasswordWidget,
  number: NumberWidget,
  switch: SwitchWidget,
  checkbox: CheckboxWidget,
  radio: RadioWidget,
  select: SelectWidget,
  multiple: MultipleWidget,
  tree: lazyPart(() => import('./tree-field.tsx')),
  datetime: lazyPart(() => import('./date-time.tsx')),
  phone: PhoneWidget,
  json: lazyPart(() => import('./json.tsx')),
  attributes: lazyPart(() => import('./attribute-map.tsx')),
  cron: lazyPart(() => import('./cron/cron.tsx')),
  list: ListWidget,
  relation: RelationWidget,
  relations: RelationsWidget,
  file: lazyPart(() => import('./file.tsx')),
  objects: lazyPart(() => import('./object-rows.tsx')),
}
