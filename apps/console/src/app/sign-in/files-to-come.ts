import { prepareSealing } from '../../kit/secrets/secrets.ts'

/** Fetches what surely follows once somebody is in (the build names its code in the page), and what the password is sealed with. */
export function filesToCome(): (() => Promise<unknown>)[] {
  const named = document.querySelector('#files-to-come')?.textContent ?? '[]'
  const addresses = JSON.parse(named) as string[]
  return [prepareSealing, ...addresses.map((address) => () => toCache(address))]
}

async function toCache(address: string): Promise<void> {
  const answer = await fetch(address, { priority: 'low' })
  await answer.arrayBuffer()
}
