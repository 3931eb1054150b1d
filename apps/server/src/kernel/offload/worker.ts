/** One thread of `offload`: calls the functions of one module, one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Answer, Request } from './index.ts'

const functions = (await import(workerData as string)) as Record<string, (input: unknown) => unknown>

parentPort?.postMessage({ ready: true } satisfies Answer)
parentPort?.on('message', ({ name, input }: Request) => {
  const call = async () => {
    const called = functions[name]
    if (called === undefined) throw new TypeError(`there is no ${name}`)
    return await called(input)
  }
  call().then(
    (output) => parentPort?.postMessage({ ok: true, output } satisfies Answer),
    (error: unknown) =>
      parentPort?.postMessage({
        ok: false,
        error: error instanceof Error ? error.name : 'Error',
      } satisfies Answer),
  )
})
