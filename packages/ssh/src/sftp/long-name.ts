import { fileTypes, type SftpAttributes } from './attributes.ts'

const letters: Record<number, string> = {
  [fileTypes.socket]: 's',
  [fileTypes.link]: 'l',
  [fileTypes.file]: '-',
  [fileTypes.blockDevice]: 'b',
  [fileTypes.directory]: 'd',
  [fileTypes.characterDevice]: 'c',
  [fileTypes.fifo]: 'p',
}
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const halfYearSeconds = 182 * 24 * 3600

export interface LongNameOptions {
  /** Instead of numbers. */
  user?: string
  group?: string
  links?: number
}

/**
 * The line `ls -l` has for a file (draft-ietf-secsh-filexfer-02, 7): clients show it as it is. Times are of UTC; those within half a
 * year have the hour in place of the year.
 */
export function longName(
  filename: Buffer,
  attributes: SftpAttributes,
  options: LongNameOptions = {},
): Buffer {
  const { permissions = 0, owner, size = 0n, times } = attributes
  const { user = String(owner?.uid ?? 0), group = String(owner?.gid ?? 0), links = 1 } = options
  const line = [
    modeText(permissions),
    String(links).padStart(4),
    user.padEnd(8),
    group.padEnd(8),
    String(size).padStart(8),
    timeText(times?.modified ?? 0),
    '',
  ]
  return Buffer.concat([Buffer.from(line.join(' ')), filename])
}

/** `drwxr-xr-x` */
function modeText(mode: number): string {
  const rights = [6, 3, 0].map((shift) => {
    const bits = (mode >> shift) & 7
    return [bits & 4 ? 'r' : '-', bits & 2 ? 'w' : '-', bits & 1 ? 'x' : '-']
  })
  const special: [number, string, string][] = [
    [0o4000, 's', 'S'],
    [0o2000, 's', 'S'],
    [0o1000, 't', 'T'],
  ]
  for (const [index, [bit, lower, upper]] of special.entries()) {
    const right = rights[index]
    if (right && mode & bit) right[2] = right[2] === 'x' ? lower : upper
  }
  return (letters[mode & fileTypes.mask] ?? '?') + rights.flat().join('')
}

function timeText(seconds: number): string {
  const time = new Date(seconds * 1000)
  const day = `${months[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`
  const isNear = Math.abs(Date.now() / 1000 - seconds) < halfYearSeconds
  return `${day} ${isNear ? time.toISOString().slice(11, 16) : String(time.getUTCFullYear()).padStart(5)}`
}
