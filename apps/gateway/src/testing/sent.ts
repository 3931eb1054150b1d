import { droppedFields } from '@sallyport/contract/gateway/dropped'
import { type Callable, callPath, methodsOf } from '@sallyport/contract/resource/calls'
import { bodySchema } from '@sallyport/contract/resource/schema'
import * as components from '@sallyport/contract/resources/components'
import { HostKey } from '@sallyport/contract/resources/host-keys'
import { CommandReview, LoginAssetCheck } from '@sallyport/contract/resources/reviews'
import { Command, Session } from '@sallyport/contract/resources/terminal'

const declared: readonly Callable[] = [
  Session,
  Command,
  HostKey,
  components.Terminal,
  components.TerminalTask,
  components.TerminalRegistration,
  CommandReview,
  LoginAssetCheck,
]
const sentSchemas = declared.flatMap((of) =>
  Object.values(of.calls).flatMap((call) => {
    if (call.body === undefined) return []
    const path = callPath(of, call)
      .replace('/api/v1/', '')
      .replaceAll(/\{\w+\}/g, '[^/]+')
    const schema = bodySchema(call.body)
    return methodsOf(call).map((method) => ({ call: new RegExp(`^${method} ${path}$`), schema }))
  }),
)

/** What the gateway sends must fit the contract, and hold nothing the server would drop. */
export function checkSent({ method, path, json }: { method: string; path: string; json: unknown }): void {
  const sent = sentSchemas.find(({ call }) => call.test(`${method} ${path}`))
  const dropped = sent ? droppedFields(sent.schema, json) : []
  if (dropped.length > 0) throw new Error(`${method} ${path}: not in the contract: ${dropped.join()}`)
}

/** The same of what it says of itself over the link. */
export function checkStatus(payload: unknown): void {
  const dropped = droppedFields(bodySchema(components.statusReport), payload)
  if (dropped.length > 0) throw new Error(`status: not in the contract: ${dropped.join()}`)
}
