import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { describeForm } from '../describe.ts'
import { FormStore } from '../form-store.ts'
import { TextareaWidget } from './texts.tsx'

test('an area for text has 3 rows', () => {
  const fields = describeForm([['basic', ['note']]], { note: { type: 'string' } }, {}, String).flatMap(
    (group) => group.fields,
  )
  const drawn = fields.map((field) =>
    renderToStaticMarkup(
      <TextareaWidget
        id="note"
        name="note"
        value=""
        onChange={() => undefined}
        onBlur={() => undefined}
        field={field}
        form={new FormStore({}, fields)}
        disabled={false}
        invalid={false}
        required={false}
        describedBy={undefined}
        updating={false}
      />,
    ),
  )
  expect(drawn).toEqual([expect.stringContaining('rows="3"')])
})
