import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/kernel/*/tables.ts', './src/domains/*/tables.ts'],
  out: './drizzle',
})
