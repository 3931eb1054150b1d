/** The terminal modes of a client (RFC 4254, 8) that a target is told. */

/** Keys that erase, where they are such that other keys keep their meaning to whoever judges what is typed. */
const erasing: ReadonlySet<number> = new Set([3 /* VERASE */, 4 /* VKILL */, 13 /* VWERASE */])
const erasingKeys: ReadonlySet<number> = new Set([0x08, 0x15, 0x17, 0x18, 0x7f])
const flags: ReadonlySet<number> = new Set([
  38 /* IXON */, 39 /* IXANY */, 40 /* IXOFF */, 41 /* IMAXBEL */, 42 /* IUTF8 (RFC 8160) */,
])
const speeds: ReadonlySet<number> = new Set([128 /* TTY_OP_ISPEED */, 129 /* TTY_OP_OSPEED */])
/** From here on what follows an opcode is not known. */
const firstUnknown = 160

/**
 * Each once, as it was told last; nothing of what a list that cannot be read holds behind that. The others, such as the keys that end a line
 * or whether it is shown, stay as the target has them: what is typed is read, and lines are held, by what they usually mean.
 */
export function passedModes(modes: Buffer): Buffer {
  const told = new Map<number, number>()
  for (let at = 0; at + 5 <= modes.length; at += 5) {
    const opcode = modes.readUInt8(at)
    if (opcode === 0 || opcode >= firstUnknown) break
    const value = modes.readUInt32BE(at + 1)
    const isPassed =
      (erasing.has(opcode) && erasingKeys.has(value)) ||
      (flags.has(opcode) && value <= 1) ||
      speeds.has(opcode)
    if (isPassed) told.set(opcode, value)
  }
  const passed = Buffer.alloc(told.size * 5 + 1)
  for (const [index, [opcode, value]] of [...told].entries())
    passed.writeUInt32BE(value, passed.writeUInt8(opcode, index * 5))
  return passed
}
