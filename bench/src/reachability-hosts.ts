/** A process that stands for a thousand hosts: an SSH server that lets in whoever knows the password. */
import { createServer } from 'node:net'
import { serve } from '@sallyport/ssh'
import { generateKey } from '@sallyport/ssh/keys/generate'

const hostKeys = [await generateKey('ssh-ed25519')]
const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => {})
  serve(socket, {
    ident: 'Bench',
    hostKeys,
    authenticate: async (request) =>
      request.method === 'password' && request.password === 'right' ? 'accepted' : 'wrong',
    methods: () => ['password'],
    maxFailures: 4,
    onLogin: () => {},
    onChannel: (opening) => opening.refuse('administrativelyProhibited', 'Nothing is told'),
    loginMs: 20_000,
    replyMs: 20_000,
    keepaliveMs: 60_000,
  })
}).listen(0, '127.0.0.1', () => process.send?.(server.address()))
