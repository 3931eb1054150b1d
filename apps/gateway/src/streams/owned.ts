/**
 * Each packet that is encrypted or decrypted comes in new memory outside the JavaScript heap. Left to the collector, every 64 MB of it
 * cost a full collection: some ten a second in bulk, which took a fifth of the processor and held everybody's keystrokes up. So it is
 * given back as soon as it is used up, and the next packet gets the same memory while the processor still has it in its cache.
 */
const owned = new WeakSet<ArrayBufferLike>()

/** Below this the collector is as good. */
const MIN_BYTES = 4096

/** Says that nothing else uses the memory behind these bytes, so that `release` may give it back. */
export function own(bytes: Buffer): void {
  if (bytes.byteLength >= MIN_BYTES && bytes.buffer.byteLength === bytes.byteLength) owned.add(bytes.buffer)
}

/** Gives the memory behind owned bytes (or a part of them) back: every view of it is empty then. Does nothing with others. */
export function release(bytes: Buffer): void {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && owned.delete(buffer)) buffer.transfer(0)
}
