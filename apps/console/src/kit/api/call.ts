import { type AnswerOf, type Callable, requestOf } from '@sallyport/contract/resource/calls'
import type { RowOf } from '@sallyport/contract/resource/resource'
import { api, type CallOptions, type Query } from './client.ts'

/** Where a declared call is made, for a list that shows the rows it answers. */
export function addressOf<O extends Callable, N extends keyof O['calls'] & string>(
  of: O,
  name: N,
  given: Parameters<typeof requestOf<O, N>>[2],
): string {
  return requestOf(of, name, given).path
}

/** Calls what a resource or a service of the contract declares: names, arguments and answer are the declaration's. */
export function call<O extends Callable, N extends keyof O['calls'] & string>(
  of: O,
  name: N,
  given: Parameters<typeof requestOf<O, N>>[2],
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<AnswerOf<O['calls'][N], RowOf<O>>> {
  const { method, path, body, query } = requestOf(of, name, given)
  const options = { query: query as Query | undefined, signal }
  switch (method) {
    case 'GET':
      return api.get(path, options)
    case 'POST':
      return api.post(path, body, options)
    case 'PUT':
      return api.put(path, body, options)
    case 'PATCH':
      return api.patch(path, body, options)
    default:
      return api.delete(path, options)
  }
}
