import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, uuid } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { subselect } from './index.ts'

const rules = pgTable('rules', { id: uuid() })
const reviewers = pgTable('reviewers', { id: uuid(), rule_id: uuid() })
const count = sql`select count(*) from ${reviewers} where ${reviewers.rule_id} = ${rules.id}`
const selected = (amount: SQL) => drizzle.mock().select({ amount }).from(rules).toSQL().sql

test('a subselect among what is selected of one table means the columns of the tables it names', () => {
  expect(selected(subselect(count))).toContain('where "reviewers"."rule_id" = "rules"."id"')
})

test('one that would mean its own columns instead is refused in every test', () => {
  expect(() => selected(count)).toThrow('use subselect()')
})
