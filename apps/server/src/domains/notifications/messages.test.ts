import { languages, mailTexts } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { render } from './messages.ts'

test('who gets a mail is told in words how long something is good, in each language', () => {
  const params = {
    name: 'Ann',
    username: 'ann',
    link: 'https://a.example/?a=1&b=<2>',
    hours: 1,
    days: 2,
    seconds: 60,
  }
  const asked = render('ResetPasswordMsg', 'en', params)
  expect(asked.text).toContain('1 hour;')
  expect(asked.html).toContain('1 hour;')
  expect(asked.html).toContain(
    '<a href="https://a.example/?a=1&amp;b=&lt;2&gt;">https://a.example/?a=1&amp;b=&lt;2&gt;</a>',
  )
})

test('no mail holds a place that is not filled in', () => {
  for (const language of languages)
    for (const text of Object.values(mailTexts[language])) {
      const names = [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name)
      const all = Object.fromEntries(names.map((name) => [name, 'x']))
      const body = render('ResetPasswordMsg', language, all, { subject: text, body: text })
      expect([body.subject, body.text, body.html].join('\n')).not.toMatch(/[{}|]/)
    }
})
