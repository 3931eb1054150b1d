import { expect, test } from 'vitest'
import { gatewayMenu } from './gateway-menu.ts'
import { gatewayMessage, gatewayMessages } from './gateway.ts'
import { targetMessage, targetMessages } from './gateway-targets.ts'
import { fill, find, languages, type Catalogue } from './language.ts'

const namesIn = (text: string | undefined) =>
  [...(text ?? '').matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => String(name)).sort()

test.for<[string, Catalogue]>([
  ['gateway', gatewayMessages],
  ['gateway-targets', targetMessages],
  ['gateway-menu', gatewayMenu],
])('the texts of %s say the same facts in every language', ([, catalogue]) => {
  for (const [key, text] of Object.entries(catalogue.en)) {
    for (const language of languages) {
      expect(namesIn(find(catalogue, language, key)), `${language} ${key}`).toEqual(namesIn(text))
    }
  }
})

test('a sentence whose facts were forgotten does not compile: nobody is shown {where}', () => {
  expect(targetMessage('en', 'target_lost', { where: 'h:22' })).toBe('The connection to h:22 broke')
  // @ts-expect-error where is not said
  expect(targetMessage('en', 'target_lost', {})).toContain('{where}')
  // @ts-expect-error nothing is said
  expect(gatewayMessage('en', 'killed')).toContain('{who}')
})

test.each([
  [1, 'in 1 day'],
  ['1', 'in 1 day'],
  [0, 'in 0 days'],
  [30, 'in 30 days'],
])('a number is followed by the noun that goes with it: %j', (days, told) => {
  expect(fill('in {days day|days}', { days })).toBe(told)
})
