/**
 * Each packet that is sealed or opened comes in new memory outside the JavaScript heap. Left to the collector, every 64 MB of it cost a
 * full collection: some ten a second in bulk, a fifth of the processor. So it is given back as soon as it is used up, and the next packet
 * gets the same memory while the processor still has it in its cache.
 */
const owned = new WeakSet<ArrayBufferLike>()

/** Below this the collector is as good. */
const minBytes = 4096

/** Gives memory back that nothing else uses: every view of it is empty then. */
export function free(bytes: Buffer): void {
  if (bytes.byteLength >= minBytes && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
}

/** Says that these bytes are all that lives in their memory, so that `release` gives it back. */
export function own(bytes: Buffer): Buffer {
  if (bytes.byteLength >= minBytes) owned.add(bytes.buffer)
  return bytes
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
