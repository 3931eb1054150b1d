import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { Transport } from './transport.ts'

test('what the server answers for the log is English, and for a person in their language', async () => {
  const server = createServer((request, response) => {
    const detail = request.headers['accept-language'] ?? '(not said)'
    response.writeHead(403).end(JSON.stringify({ detail }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const transport = new Transport(new URL(`http://127.0.0.1:${port}`))
  const ask = (headers?: Record<string, string>) =>
    transport.answer({ method: 'GET', path: '/', signed: false, ...(headers && { headers }) })
  await expect(ask()).rejects.toThrow(/\ben\b/)
  await expect(ask({ 'accept-language': 'ja' })).rejects.toThrow(/\bja\b/)
  transport.close()
  server.close()
})
