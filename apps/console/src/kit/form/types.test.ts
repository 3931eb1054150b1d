import { UserGroup } from '@sallyport/contract/resources/users'
import { expectTypeOf, test } from 'vitest'
import type { FieldName } from './form-spec.ts'
import { resourceForm } from './declare-form.ts'

test('the names of a form are those of its resource', () => {
  expectTypeOf<'name' | 'comment' | 'users'>().toExtend<FieldName<typeof UserGroup>>()
  expectTypeOf<'nmae'>().not.toExtend<FieldName<typeof UserGroup>>()
})

test('a misspelt field does not compile', () => {
  resourceForm(UserGroup, {
    groups: [['basic', ['name', 'notify', 'comment']]],
    fields: { users: { initial: [] } },
    own: { notify: { widget: 'checkbox', label: 'activate' } },
  })
  resourceForm(UserGroup, {
    // @ts-expect-error no such field
    groups: [['basic', ['nmae']]],
  })
  resourceForm(UserGroup, {
    groups: [['basic', ['name']]],
    fields: {
      // @ts-expect-error no such field
      coment: { required: true },
    },
  })
  resourceForm(UserGroup, {
    // @ts-expect-error no such text
    groups: [['basci', ['name']]],
  })
})
