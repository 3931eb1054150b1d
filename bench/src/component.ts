/** A component of the bench's own: calls the server as gateways do. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AccessKey, signedHeaders } from '../../apps/gateway/src/api/signature.ts'
import type { System } from '../../e2e/src/system.ts'

const allOrganizations = '00000000-0000-0000-0000-000000000000'

/** Registers one; answers how it posts. */
export async function registerComponent({
  dataDir,
  origin,
}: Pick<System, 'dataDir' | 'origin'>): Promise<(target: string, body: unknown) => Promise<void>> {
  const token = (await readFile(join(dataDir, 'keys', 'bootstrap_token'), 'utf8')).trim()
  const registered = await fetch(`${origin}/api/v1/terminal/terminal-registrations/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `BootstrapToken ${token}` },
    body: JSON.stringify({ name: 'bench', type: 'koko' }),
  })
  const { service_account } = (await registered.json()) as { service_account: { access_key: AccessKey } }
  return async (target, sent) => {
    const body = JSON.stringify(sent)
    const answer = await fetch(`${origin}${target}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-jms-org': allOrganizations,
        ...signedHeaders(service_account.access_key, { method: 'POST', target, body }),
      },
      body,
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${target}: ${answer.status} ${text.slice(0, 200)}`)
  }
}
