import { type Callable, callPath, methodsOf } from '../resource/calls.ts'
import { listUrl } from '../resource/resource.ts'
import { TerminalTask } from '../resources/components.ts'
import { UserGrants } from '../resources/grants.ts'
import { PublicSettings } from '../resources/settings.ts'
import { Session } from '../resources/terminal.ts'
import { Profile } from '../resources/users.ts'

const addressesOf = <O extends Callable>(of: O, ...names: readonly (keyof O['calls'] & string)[]) =>
  names.flatMap((name) => {
    const call = of.calls[name]
    return call ? methodsOf(call).map((method) => `${method} ${callPath(of, call)}`) : []
  })

/**
 * What a component may call besides the calls made for components and what anybody may: method and address. Everything else is refused to
 * it, whatever roles it holds.
 */
export const componentCalls: ReadonlySet<string> = new Set(
  [
    // Its own account: shows that its key is good.
    `GET ${listUrl(Profile)}`,
    // What everybody is told of the settings who is logged in.
    `GET ${listUrl(PublicSettings)}`,
    // What the people it serves were granted.
    ...addressesOf(UserGrants, 'assets', 'accounts', 'nodes', 'nodeAssets', 'childTree'),
    // Its own orders.
    `GET ${listUrl(TerminalTask)}`,
    `GET ${listUrl(TerminalTask)}{id}/`,
    `PATCH ${listUrl(TerminalTask)}{id}/`,
    ...addressesOf(Session, 'validateJoin'),
  ].map((address) => address.replaceAll(/\{(\w+)\}/g, ':$1')),
)
