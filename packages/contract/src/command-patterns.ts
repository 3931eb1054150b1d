/** What command groups match: pure text, the same for the server that stores and the gateway that judges. */

/** What a group may hold at most. */
export const commandGroupLimits = {
  /** Characters of all its commands. */
  content: 262_144,
  /** … of all groups one call writes. */
  contentOfCall: 8_388_608,
  commands: 10_000,
  /** Characters of a regular expression. */
  regex: 16_384,
}
/** Of one rule. */
export const commandGroupsMax = 50
/** Bytes of JSON, of all rules that may hold for one connection: half of what a gateway takes as an answer. */
export const commandFiltersMax = 8 << 20

export interface CommandGroupContent {
  type: 'command' | 'regex'
  content: string
}

/** The commands of a group: one a line, without blanks around them, and one blank between words. */
export const commandsOf = (content: string): string[] =>
  content
    .split(/[\r\n]+/)
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '')

const signs = /[\\^$.*+?()[\]{}|]/g

/**
 * A word is one by itself: `\b` stands where a letter, digit or underscore begins it, and where a letter ends it (RE2 knows ASCII words only,
 * and before `/bin/rm` there is no boundary of one). Several words are found anywhere, with whatever blanks between them.
 */
function patternOfCommand(command: string): string {
  const escaped = command.replaceAll(signs, String.raw`\$&`)
  if (command.includes(' ')) return escaped.replaceAll(' ', String.raw`\s+`)
  return `${/^\w/.test(command) ? String.raw`\b` : ''}${escaped}${/[a-z]$/i.test(command) ? String.raw`\b` : ''}`
}

/** The regular expression (RE2) of a group, searched for anywhere in what was typed; empty for a group that matches nothing. */
export const patternOf = ({ type, content }: CommandGroupContent): string =>
  type === 'regex'
    ? content
    : commandsOf(content)
        .map((command) => patternOfCommand(command))
        .join('|')
