import { User, UserGroup } from '@sallyport/contract/resources/users'
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

test('four typos in what depends on values: none compiles', () => {
  resourceForm(User, {
    groups: [['basic', ['name', 'source', 'password', 'typed']]],
    fields: {
      password: {
        hidden: ({ source, typed }) => source !== 'local' || typed !== true,
        rules: [(value, { name }) => (value === name ? 'too easy' : undefined)],
      },
      name: { consequences: (name) => ({ username: name, typed: true }) },
    },
    own: {
      typed: { widget: 'checkbox', label: 'activate', disabled: ({ is_active }) => is_active === false },
    },
    presets: () => ({ initial: { source: 'local' } }),
    describedBy: ({ source }) => `?source=${source ?? ''}`,
  })
  resourceForm(User, {
    groups: [['basic', ['password']]],
    // @ts-expect-error no such field
    fields: { password: { hidden: (values) => values.sorce !== 'local' } },
  })
  resourceForm(User, {
    groups: [['basic', ['password']]],
    // @ts-expect-error no such choice
    fields: { password: { hidden: (values) => values.source === 'lokal' } },
  })
  resourceForm(User, {
    groups: [['basic', ['name']]],
    // @ts-expect-error no such field follows
    fields: { name: { consequences: (name) => ({ usrename: name }) } },
  })
  resourceForm(User, {
    groups: [['basic', ['name']]],
    // @ts-expect-error no such choice to begin with
    presets: () => ({ initial: { source: 'lokal' } }),
    // @ts-expect-error no such field to be described by
    describedBy: (values) => `?source=${values.sorce}`,
  })
})
