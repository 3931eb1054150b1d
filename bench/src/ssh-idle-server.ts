/** A process that serves SSH to whoever connects and runs nothing in their sessions; tells on request what memory it holds, in bytes. */
import { createServer } from 'node:net'
import { serve } from '@sallyport/ssh'
import { generateKey } from '@sallyport/ssh/keys/generate'

const hostKeys = [await generateKey('ssh-ed25519')]
const server = createServer({ noDelay: true, highWaterMark: 1024 * 1024 }, (socket) => {
  serve(socket, {
    ident: 'Bench',
    hostKeys,
    authenticate: () => Promise.resolve('accepted'),
    methods: () => [],
    maxFailures: 6,
    onLogin: () => {},
    onChannel(opening) {
      if (opening.type === 'session') opening.accept().handlers = { shell: () => () => {} }
      else opening.refuse('unknownChannelType', 'Only sessions')
    },
    loginMs: 60_000,
    replyMs: 60_000,
    keepaliveMs: 60_000,
  })
}).listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', () => {
  // What is garbage by now is nobody's.
  for (let count = 0; count < 4; count++) globalThis.gc?.()
  process.send?.(process.memoryUsage.rss())
})
