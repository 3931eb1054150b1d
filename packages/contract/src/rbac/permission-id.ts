/**
 * The number of a permission on the wire, where clients expect one: made of its name alone (FNV-1a, 31 bits), so that it is the same on
 * every server and in every version.
 */
export function permissionId(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 1
}
