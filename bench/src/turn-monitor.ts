/** Loaded into the process of a gateway or a server: answers each message with the processor time, in milliseconds, of the longest turn of its event loop since the last. */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = used()
  let longest = 0
  const measure = () => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
    setImmediate(measure).unref()
  }
  measure()
  process.on('message', () => {
    process.send?.({ kind: 'turn', longest })
    longest = 0
  })
}
