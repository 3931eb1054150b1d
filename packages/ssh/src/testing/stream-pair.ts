import { duplexPair, type Duplex } from 'node:stream'

/** Two ends of a stream in memory that are done with what is written when they say so, as sockets are: Node's own may keep it. */
export function streamPair(): [Duplex, Duplex] {
  const pair = duplexPair()
  for (const end of pair) {
    const write = end.write.bind(end)
    end.write = ((bytes: Buffer, ...rest: []) => write(Buffer.from(bytes), ...rest)) as typeof end.write
  }
  return pair
}
