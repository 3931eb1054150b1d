import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { serveConsole } from './console.ts'

/** Where an address leads, or the status it is answered with. */
async function served() {
  const root = await mkdtemp(join(tmpdir(), 'sallyport-console-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const app = Fastify()
  await serveConsole(app, root)
  return async (url: string) => {
    const { statusCode, headers } = await app.inject({ url })
    return headers.location ?? statusCode
  }
}

it('leads the addresses at which the compatible system shows logs of tasks to their page, and no other', async () => {
  const at = await served()
  const id = '7d1c0000-0000-4000-8000-000000000001'
  expect(await at(`/core/ops/celery/task/${id}/log/?type=celery`)).toBe(`/ui/ops/celery/task/${id}/log/`)
  expect(await at(`/core/ops/ansible/task/${id}/log/`)).toBe(`/ui/ops/ansible/task/${id}/log/`)
  expect(await at(`/core/ops/other/task/${id}/log/`)).toBe(404)
  expect(await at('/core/ops/celery/task/%2F%2Fevil.example/log/')).toBe(404)
})

it('leads links to the download centre and to what belongs to the own account to the pages of the console', async () => {
  const at = await served()
  expect(await at('/core/download/')).toBe('/ui/downloads')
  expect(await at('/core/auth/profile/mfa/')).toBe('/ui/profile/login-security')
  expect(await at('/core/auth/profile/pubkey/generate/')).toBe('/ui/profile/setting?activeTab=SSHUpdate')
})
