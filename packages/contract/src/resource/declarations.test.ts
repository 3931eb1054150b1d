import { describe, expect, it } from 'vitest'
import { callLabels, choiceLabels, find, help, labels, languages, models } from '../messages/index.ts'
import * as declared from '../resources/index.ts'
import { answer, type Callable, isWrite, onRow } from './calls.ts'
import { choiceKey, type FlagTree } from './choices.ts'
import { type Field, type Fields, ids, many, objects, one } from './field.ts'
import { modelOf, resource, type Resource } from './resource.ts'
import { isSingleField } from './schema.ts'

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'model' in value && 'fields' in value
const isCallable = (value: unknown): value is Callable =>
  typeof value === 'object' && value !== null && 'model' in value && 'calls' in value
const resources = (Object.values(declared) as unknown[]).filter((value) => isResource(value))

const callables = (Object.values(declared) as unknown[]).filter((value) => isCallable(value))
it.each(callables.map((of) => [modelOf(of), of] as const))(
  '%s has a name for every call the books may name, and every call that writes says what it leaves there',
  (model, of) => {
    const unnamed = Object.entries(of.calls)
      .filter(([, call]) => typeof call.records === 'string')
      .flatMap(([name]) =>
        languages
          .filter((language) => find(callLabels, language, `${model}.${name}`) === undefined)
          .map((language) => `${language} ${name}`),
      )
    expect(unnamed).toEqual([])
    expect(
      Object.entries(of.calls).filter(([, call]) => isWrite(call) && call.records === undefined),
    ).toEqual([])
  },
)

const known = new Set(resources.map((one) => modelOf(one)))
/** What relations name, at any depth. */
const namedIn = (fields: Fields): string[] => Object.values(fields).flatMap((field) => namedBy(field))
const namedBy = ({ kind }: Field): string[] =>
  kind.kind === 'one' || kind.kind === 'many'
    ? [kind.to]
    : kind.kind === 'object' || kind.kind === 'objects'
      ? namedIn(kind.fields)
      : []
/** Models a declaration names and nobody declares. */
function strangers(of: Partial<Resource>): string[] {
  const ofCalls = Object.values(of.calls ?? {}).flatMap(({ body = {}, query = {}, answer: answered }) => [
    ...(isSingleField(body) ? namedBy(body) : namedIn(body)),
    ...namedIn(query),
    ...(answered !== undefined && 'fields' in answered ? namedIn(answered.fields) : []),
    ...(answered !== undefined && 'of' in answered && answered.of !== undefined ? [answered.of] : []),
  ])
  return [...namedIn(of.fields ?? {}), ...ofCalls].filter((model) => !known.has(model))
}

it.each(callables.map((of) => [modelOf(of), of] as const))('%s names only models there are', (_model, of) => {
  expect(strangers(of)).toEqual([])
})

it('notices a model there is not, in a relation or a call', () => {
  const misspelt = resource({
    app: 'tests',
    model: 'note',
    path: 'tests/notes',
    scope: 'org',
    order: [],
    fields: { owner: one('users.usr', ['id']), parts: objects({ people: many('users.people', ['id']) }) },
    calls: {
      hosts: onRow({
        method: 'POST',
        path: 'hosts',
        access: 'assets.view_label',
        body: { nodes: many('assets.nod', ['id']) },
        answer: answer.rowsOf<object>('assets.hst'),
        reads: true,
      }),
      ask: onRow({ method: 'POST', path: 'ask', access: 'assets.view_label', body: ids(), reads: true }),
    },
  })
  expect(strangers(misspelt)).toEqual(['users.usr', 'users.people', 'assets.nod', 'assets.hst'])
})

it('every thing that is declared has a name in every language', () => {
  const unnamed = callables.filter((of) =>
    languages.some((language) => find(models, language, modelOf(of)) === undefined),
  )
  expect(unnamed.map((of) => modelOf(of))).toEqual([])
})

describe.each(resources.map((resource) => [modelOf(resource), resource] as const))(
  '%s',
  (model, resource) => {
    it('has a name in every language', () => {
      expect(languages.filter((language) => find(models, language, model) === undefined)).toEqual([])
    })

    it('has a label for every field, choice and help text in every language', () => {
      expect(missing(resource, resource.fields)).toEqual([])
    })

    it('orders and sizes by fields it has', () => {
      const names = new Set(Object.keys(resource.fields))
      const used = [
        ...(resource.mini ?? []),
        ...(resource.small ?? []),
        ...resource.order.map((name) => name.replace('-', '')),
      ]
      expect(used.filter((name) => !names.has(name))).toEqual([])
    })
  },
)

function missing(resource: Resource, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { kind, options }]) => {
    const gaps: string[] = []
    for (const language of languages) {
      const label = options.label ?? `${modelOf(resource)}.${name}`
      if (
        find(labels, language, label) === undefined &&
        (options.label || find(labels, language, name) === undefined)
      )
        gaps.push(`${language} label ${name}`)
      if (options.help && find(help, language, options.help) === undefined)
        gaps.push(`${language} help ${options.help}`)
      const keys =
        kind.kind === 'choice'
          ? kind.choices.values.map((value) => choiceKey(kind.choices, value))
          : kind.kind === 'flags'
            ? groupsOf(kind.flags.tree).map((value) => choiceKey(kind.flags, value))
            : []
      gaps.push(
        ...keys
          .filter((key) => find(choiceLabels, language, key) === undefined)
          .map((key) => `${language} choice ${key}`),
      )
    }
    return kind.kind === 'object' || kind.kind === 'objects'
      ? [...gaps, ...missing(resource, kind.fields)]
      : gaps
  })
}
const groupsOf = (tree: FlagTree): string[] => [
  tree.group,
  ...tree.children.flatMap((child) => (typeof child === 'string' ? [child] : groupsOf(child))),
]
