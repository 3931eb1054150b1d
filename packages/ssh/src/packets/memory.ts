/**
 * Each packet that is sealed or opened comes in new memory outside the JavaScript heap. Left to the collector, every 64 MB of it cost a
 * full collection: some ten a second in bulk, a fifth of the processor. So it is given back as soon as it is used up, and the next packet
 * gets the same memory while the processor still has it in its cache.
 */
const owned = new WeakSet<ArrayBufferLike>()

/** Below this the collector is as good. */
const minBytes = 4096

/** Gives memory back that nothing else uses: every view of it is empty then. Does nothing with bytes that share theirs. */
export function free(bytes: Buffer): void {
  memoryOf(bytes)?.transfer(0)
}

/** Says that nothing else uses these bytes, so that `release` gives their memory back. Does nothing with bytes that share theirs. */
export function own(bytes: Buffer): Buffer {
  const memory = memoryOf(bytes)
  if (memory) owned.add(memory)
  return bytes
}

/** The memory that holds these bytes and no others: what came out of Node's pool is others' too, and can't be given back. */
function memoryOf({ byteLength, buffer }: Buffer): ArrayBuffer | undefined {
  const isAlone = byteLength >= minBytes && byteLength === buffer.byteLength
  return isAlone && buffer instanceof ArrayBuffer ? buffer : undefined
}

/** Gives the memory of owned bytes (or of a part of them) back. Does nothing with others. */
export function release(bytes: Buffer): void {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && owned.delete(buffer)) buffer.transfer(0)
}

/** A copy to be held for long: small buffers come out of a pool of 64 KiB, and each would hold all of it. */
export function keep(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}
