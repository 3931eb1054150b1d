/** The usual ways round a filter, on a real sshd and bash; docs/command-filters.md names each with its verdict. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { shell, TestClient } from '../testing/client.ts'
import { filter } from '../testing/filters.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'
import type { TestHost } from '../testing/server.ts'
import type { Session } from '../session/session.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
  bench.server.filters = [filter('reject', String.raw`\bprintf\b`)]
})
afterAll(async () => {
  await bench.stop()
})
let session: Session | undefined
afterEach(async () => {
  session?.end({ reason: 'killed', detail: '' })
  await session?.done
})

/** Prints `ran-now` where it is run, which stands nowhere in it. */
const forbidden = 'printf %s-%s ran now'
const prompt = /\$ \s*$/
const refusal = /forbidden|could not be read|cannot be checked/
/** … with the prompt behind it, which vi mode shows with the next key. */
const refusedAndReady = new RegExp(`(?:${refusal.source})[^]*(?:\\$ |\\^C\\s*)$`)

/** Keys, and what has to be shown before the next ones; a prompt is one that came after the last keys. Or ms: nothing shows that they went. */
type Doings = (string | Buffer | RegExp | number | { cols: number; rows: number })[]

async function carryOut(client: TestClient, doings: Doings): Promise<void> {
  let seen = 0
  for (const doing of doings) {
    if (typeof doing === 'number') await sleep(doing)
    else if (typeof doing === 'object' && 'cols' in doing) client.resizeTo(doing)
    else if (doing instanceof RegExp) {
      const shown = () => (doing === prompt ? client.output.subarray(seen).toString() : client.tail)
      // Colours and modes may stand between what is shown, or be what is waited for.
      await expect
        .poll(shown, { timeout: 10_000 })
        .toSatisfy((raw: string) => doing.test(raw) || doing.test(stripVTControlCharacters(raw)))
    } else {
      seen = client.output.byteLength
      client.stdin.write(doing)
    }
  }
}

async function openShell(cols = 80, rows = 24): Promise<TestClient> {
  const client = shell(cols, rows).collect()
  session = bench.open(client)
  await carryOut(client, [prompt])
  return client
}

/** Binds Ctrl-T to what is forbidden. */
const bindKey = 'x=ntf; bind "\\"\\C-t\\":\\"pri$x %s-%s ran now\\C-m\\""\r'
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f)
const left = '\x1b[D'
const up = '\x1b[A'

/** Puts what is forbidden into the history. */
const fetchable = 'x=ntf; history -s "pri$x %s-%s ran now"\r'

const caught: [string, Doings][] = [
  ['as it is', [`${forbidden}\r`]],
  ['behind ;', [`true; ${forbidden}\r`]],
  ['behind && and |', [`true && true | ${forbidden}\r`]],
  ['in backticks', [`echo \`${forbidden}\`\r`]],
  ['in $( )', [`echo $(${forbidden})\r`]],
  ['by its path', [`/usr/bin/${forbidden}\r`]],
  ['in capitals of an alias', [`alias P=${forbidden}\r`]],
  ['as a function', [`p() { ${forbidden}; }\r`]],
  ['with quotes in the middle of it', [`pri''ntf %s-%s ran now\r`]],
  ['with a backslash in the middle of it', ['pri\\ntf %s-%s ran now\r']],
  ['with an escaped letter', [`$'\\x70rintf' %s-%s ran now\r`]],
  ['with an escaped letter in braces', [`pr$'\\x{69}'ntf %s-%s ran now\r`]],
  ['with an escaped letter of more than eight bits', [`pr$'\\551'ntf %s-%s ran now\r`]],
  ['with something behind an escaped NUL', [`pri$'n\\0othing'tf %s-%s ran now\r`]],
  ['with the field separator for blanks', ['printf${IFS}%s-%s${IFS}ran${IFS}now\r']],
  ['with the first letter put before it at last', ['rintf %s-%s ran now', ctrl('A'), 'p\r']],
  ['with the arrow keys', [`prntf${left.repeat(3)}`, 'i', '\x1b[F %s-%s ran now\r']],
  ['with words erased', [`printf xyz abc${ctrl('W')}${ctrl('W')}%s-%s ran now\r`]],
  ['with the line killed and yanked', [`${forbidden}${ctrl('U')}`, `${ctrl('Y')}\r`]],
  ['with the last argument of the line before', ['echo ntf\r', prompt, 'pri\x1b.', ' %s-%s ran now\r']],
  ['from the history', ['x=ntf; history -s "pri$x %s-%s ran now"\r', prompt, `${up}\r`]],
  [
    'searched in the history',
    ['x=ntf; history -s "pri$x %s-%s ran now"\r', prompt, `${ctrl('R')}pri`, /7mpri/, '\r'],
  ],
  ['by !', [fetchable, prompt, '!pri\r']],
  ['by ! where nothing is shown', [fetchable, prompt, 'stty -echo\r', /-echo[^]*\$ $/, '!pri\r']],
  ['by !, with a quote', [`x=ntf; history -s "'pri$x' %s-%s ran now"\r`, prompt, "!'pri\r"]],
  ['by ^, with nothing for it', ['Xprintf %s-%s ran now\r', /found[^]*\$ $/, '^X\r']],
  ['by ! behind an apostrophe in a comment', [fetchable, prompt, ": # it's\r", prompt, '!pri\r']],
  ['by ! behind an escaped apostrophe', [fetchable, prompt, ": $'it\\'s'\r", prompt, '!pri\r']],
  ['by ! behind quotes in quotes', [fetchable, prompt, `: "$(echo "it's")"\r`, prompt, '!pri\r']],
  [
    'by ! behind an apostrophe in a here-document',
    [fetchable, prompt, 'cat > it << E\r', /> $/, "it's\r", /> $/, 'E\r', prompt, '!pri\r'],
  ],
  [
    'by ! behind an apostrophe in a here-document that is pasted',
    [fetchable, prompt, "\x1b[200~cat > it << E\rit's\rE\x1b[201~\r", prompt, '!pri\r'],
  ],
  [
    'by ! behind a quote that was interrupted',
    [fetchable, prompt, ": '\r", /> $/, ctrl('C'), prompt, '!pri\r'],
  ],
  [
    'by ! behind an apostrophe that is read',
    [fetchable, prompt, 'read a\r', /read a\r\n/, "it's\r", prompt, '!pri\r'],
  ],
  [
    'by ! behind an apostrophe in another language',
    [fetchable, prompt, '/usr/bin/python3 -q\r', />>> $/, "#it's\r", />>> $/, ctrl('D'), prompt, '!pri\r'],
  ],
  [
    'by ! in quotes of the line before, where both prompts look alike',
    [fetchable, prompt, 'PS2=$PS1\r', prompt, ": '\r", prompt, "'; !pri #'\r"],
  ],
  [
    'by Ctrl-O, which fetches the next line',
    ['x=ntf; history -s "echo"; history -s "pri$x %s-%s ran now"\r', prompt, `${up}${up}${ctrl('O')}\r`],
  ],
  [
    'behind the question about many completions',
    [
      'mkdir -p crowd; touch crowd/{a,b}{100..199}\r',
      prompt,
      ': crowd/\t\t',
      /\(y or n\)$/,
      'na100',
      /: crowd\/a100$/,
      `; ${forbidden}\r`,
    ],
  ],
  [
    'completed',
    [
      'x=ntf; mkdir -p w; ln -sf /usr/bin/pri$x w\r',
      /\$x w\s+[^]*\$ $/,
      'w/\t',
      /printf $/,
      '%s-%s ran now\r',
    ],
  ],
  [
    'typed ahead and completed',
    ['x=ntf; mkdir -p w; ln -sf /usr/bin/pri$x w\r', prompt, 'w/\t', /printf $/, '%s-%s ran now\r'],
  ],
  ['in the midst of pasted lines', [`echo one\r${forbidden}\recho two\r`]],
  ['in a paste that says it is one', [`\x1b[200~echo one\n${forbidden}\necho two\x1b[201~\r`]],
  ['in a here-document', [`bash <<E\r`, /> $/, `${forbidden}\r`]],
  ['continued behind a backslash', ['pri\\\r', /> $/, 'ntf %s-%s ran now\r']],
  ['entered with Ctrl-J', [`${forbidden}${ctrl('J')}`]],
  ['entered with Ctrl-O', [`${forbidden}${ctrl('O')}`]],
  ['entered with Enter of the keypad', [`bind '"\\eOM": accept-line'\r`, prompt, `${forbidden}\x1bOM`]],
  ['entered as newer terminals say it', [`bind '"\\e[13u": accept-line'\r`, prompt, `${forbidden}\x1b[13u`]],
  ['in vi mode', ['set -o vi\r', prompt, 'rintf %s-%s ran now\x1b', 'Ip\r']],
  ['in a shell without line editing', ['exec dash\r', /2004l\s*\$ $/, `${forbidden}\r`]],
  [
    'given away with Ctrl-D there',
    ['exec dash\r', /2004l\s*\$ $/, forbidden, /now$/, `${ctrl('D')}${ctrl('D')}`],
  ],
  ['where nothing is shown', ['stty -echo; exec dash\r', /dash[^]*\$ $/, `${forbidden}\r`]],
  [
    'continued behind a backslash where nothing is shown',
    ['stty -echo\r', /-echo[^]*\$ $/, 'pri\\\r', /> $/, 'ntf %s-%s ran now\r'],
  ],
  ['edited where nothing is shown', ['stty -echo\r', /-echo[^]*\$ $/, `rintf %s-%s ran now${ctrl('A')}p\r`]],
  ['in an editor of the shell’s', [`${ctrl('X')}${ctrl('E')}`]],
  ['by Esc Ctrl-E, which runs what is in the line', [`echo $(${forbidden})`, `\x1b${ctrl('E')}`]],
  ['by a byte that is Esc Ctrl-E where letters are ASCII', [`echo $(${forbidden})`, Buffer.of(0x85)]],
  ['uncommented by Esc 1 Esc #', [`#${forbidden}`, '\x1b1', '\x1b#']],
  ['commented by Esc #', [forbidden, '\x1b#']],
  [
    'by a keyboard macro with Enter in it',
    [`${ctrl('X')}(`, 'ntf %s-%s ran now\r', /found[^]*\$ $/, `${ctrl('X')})`, 'pri', `${ctrl('X')}e`],
  ],
  ['in an editor of vi mode', ['set -o vi\r', prompt, `true ${forbidden}\x1b`, 'v']],
  ...['\x1bOP', '\x1b[Z', '\x1b[h', '\x1b[:'].map((keys): [string, Doings] => [
    `in an editor of vi mode, behind ${JSON.stringify(keys)}, which it does not know`,
    ['set -o vi\r', prompt, `true ${forbidden}`, /now/, keys, 600, 'v', 100, '\r'],
  ]),
  [
    'in an editor of vi mode, behind keys that look like a sequence',
    ['set -o vi\r', prompt, `true ${forbidden}`, /now/, '\x1b', 600, '[hv', 100, '\r'],
  ],
  ['with a NUL in a plain shell', ['exec dash\r', /2004l\s*\$ $/, 'pri\0ntf %s-%s ran now\r']],
  ['with quotes for other languages', ['pri$"ntf" %s-%s ran now\r']],
  ['with empty quotes of other kinds', [`p$''r$""i\`\`n$()tf %s-%s ran now\r`]],
  ['behind a line longer than the screen', [`: ${'x'.repeat(3000)}; ${forbidden}\r`]],
  ['with a prompt that hides what is typed', [`PS1='$ \\[\\e[8m\\]'\r`, /8m$/, `${forbidden}\r`]],
  ['erased with a key nobody knows of', ['stty erase @\r', prompt, `x@${forbidden}\r`]],
  [
    'erased with a letter, so that the screen alone shows the word',
    ['stty erase X\r', /erase X\r\n[^]*\$ $/, `aX${forbidden}\r`],
  ],
  [
    'edited by bytes that are keys where letters are ASCII only',
    [
      'exec env LC_ALL=C bash --norc\r',
      /norc[^]*\$ $/,
      'rintf %s-%s ran now',
      /now$/,
      '¢'.repeat(5),
      new RegExp(`${ctrl('G')}$`),
      'p\r',
    ],
  ],
  [
    'edited on the alternate screen where nothing is shown',
    ['tput smcup; stty -echo\r', /1049h[^]*\$ $/, `rintf %s-%s ran now${ctrl('A')}p\r`],
  ],
  ['on the alternate screen', ['tput smcup\r', /1049h[^]*\$ $/, `${forbidden}\r`]],
]

test.each(caught)('is refused: %s', async (_way, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => stripVTControlCharacters(client.text), { timeout: 10_000 }).toMatch(refusedAndReady)
  client.type(`${ctrl('U')}echo still-$((1+1))\r`)
  await expect.poll(() => client.text, { timeout: 10_000 }).toContain('still-2')
  expect(client.text).not.toContain('ran-now')
})

/** In tmux, in a shell with a short prompt; `also`: more commands of tmux. */
const inTmux = (also = '', socket: string = randomUUID()): Doings => [
  `tmux -L ${socket} -f /dev/null new "bash --norc" ${also}\r`,
  /1049h[^]*\$ /,
  // Not as it is typed, which may stand there before the shell asks for it.
  "PS1='$ '; echo sh''ort\r",
  /short[^]*\$ /,
]
const leftTmux = randomUUID()
const beside = String.raw`\; split-window -h "bash --norc"`

/** Has the first two letters change places. */
const transpose = `${ctrl('A')}${ctrl('F')}${ctrl('T')}\r`

/** Takes two rows, and has the cursor on the upper one once it is edited. */
const wrapping = `rpintf %s-%s ran now #${'y'.repeat(100)}`
const narrower = { cols: 79, rows: 24 }
const attached = randomUUID()
const found = randomUUID()
const next: Doings = [ctrl('B'), 50, 'o', 500]
const home: Doings = [ctrl('A'), 300]
const edited: [string, Doings, Doings?][] = [
  [
    'in tmux, gone back to its beginning, in a pane made smaller',
    [...home, ctrl('B'), 50, 'z', 1000],
    [...inTmux(beside), ctrl('B'), 50, 'z', 1000],
  ],
  [
    'in tmux, gone back to its beginning on the last rows, in a pane that was left and entered again',
    [...home, ...next, ...next],
    [...inTmux(beside), 'seq 40\r', /40\D[^]*\$ /],
  ],
  [
    'in tmux, in a pane that was left for a command in a window made narrower',
    [...next, 'echo x', 300, { cols: 78, rows: 24 }, 900, '\r', 900, ...next],
    [...inTmux(beside), ...next],
  ],
  [
    'in a window of tmux that is smaller than the screen',
    [300],
    [...inTmux(), 'tmux resize-window -x 35 -y 20\r', /┘/, 'echo sm""all\r', /small/],
  ],
  ['in tmux, in a window made narrower', [narrower, 1000], inTmux()],
  [
    'in tmux, in a pane that was split and entered again',
    [ctrl('B'), 50, '%', 1000, ctrl('B'), 50, ';', 500],
    inTmux(),
  ],
  ['in tmux, in a pane that changed places', [ctrl('B'), 50, '}', 1000], inTmux(beside)],
  [
    'in tmux that was left and entered again',
    [ctrl('B'), 50, 'd', /1049l/, `tmux -L ${attached} attach\r`, /1049h/, 500],
    inTmux('', attached),
  ],
  [
    'on the alternate screen, in a window made narrower',
    [narrower, 1000],
    ["tput smcup; PS1='$ '\r", /1049h[^]*\$ $/],
  ],
]

const caughtOnly: [string, Doings][] = [
  [
    'edited where the terminal inserts what it is to write over',
    ["echo -e '\\e[4h'\r", prompt, 'rpintf %s-%s ran now', /now$/, transpose],
  ],
  [
    'edited where the terminal does so by a key, and no more by another',
    [
      `bind -x '"\\C-g":"echo -ne \\\\\\e[4h"' -x '"\\C-x":"echo -ne \\\\\\e[4l"'\r`,
      prompt,
      `${ctrl('G')}rpintf %s-%s ran now`,
      /now$/,
      `${transpose.slice(0, -1)}${ctrl('X')}\r`,
    ],
  ],
  [
    'edited on the alternate screen, where the terminal inserts what it is to write over',
    ["echo -e '\\e[?1049h\\e[4h'\r", /1049h[^]*\$ $/, 'rpintf %s-%s ran now', /now$/, transpose],
  ],
  [
    'typed ahead on the alternate screen with keys that edit it',
    [
      "tput smcup; PS1='$ '\r",
      /1049h[^]*\$ $/,
      'seq 5; sleep .5\r',
      /5\r\n/,
      `rintf %s-%s ran now${ctrl('A')}p\r`,
    ],
  ],
  ...edited.map(([how, narrowed, before = []]): [string, Doings] => [
    `edited over several rows ${how}`,
    [...before, wrapping, /y{20}/, transpose.slice(0, -1), 300, ...narrowed, '\r'],
  ]),
  [
    'typed ahead in tmux with keys that edit it',
    [...inTmux(), 'sleep 1\r', 100, `rintf %s-%s ran now${ctrl('A')}p\r`],
  ],
  [
    'edited in a line that begins where a part of the alternate screen scrolls',
    [
      "echo -e '\\e[?1049h\\e[2;6rabove'; PS1='$ '\r",
      /above[^]*\$ $/,
      `\x1b[200~${['rpintf %s-%s ran now', ...Array.from({ length: 9 }, (_none, at) => `$ : line ${at}`)].join('\n')}\x1b[201~`,
      /line 8/,
      transpose,
    ],
  ],
  [
    'edited on the alternate screen where rows end at the edge',
    [
      "echo -e '\\e[?1049h\\e[?7l\\n\\n\\n'; PS1='$ '\r",
      /1049h[^]*\$ $/,
      `${'rpintf %s-%s ran now; : '.padEnd(78, 'y')}$`,
      /y\$/,
      `${ctrl('A')}${ctrl('E')} : fine ${transpose}`,
    ],
  ],
  [
    'put before what scrolls in a part of the alternate screen',
    [
      "echo -e '\\e[?1049h\\e[3;6r'; PS1='$ '\r",
      /1049h[^]*\$ $/,
      `: ${'y'.repeat(400)}; true`,
      /true$/,
      `${ctrl('A')}${forbidden}; \r`,
    ],
  ],
  [
    'put before what scrolls below it in a part of the alternate screen',
    [
      "echo -e '\\e[?1049h\\e[3;6rabove'; PS1='$ '\r",
      /above[^]*\$ $/,
      `: ${'y'.repeat(400)}; true`,
      /true$/,
      `${ctrl('A')}${forbidden}; \r`,
    ],
  ],
  [
    'edited in a line that is taller than the alternate screen, whose rows look like prompts',
    [
      "tput smcup; PS1='$ '\r",
      /1049h[^]*\$ $/,
      `${'rpintf %s-%s ran now; : '.padEnd(78, 'y')}${`$ : ${'y'.repeat(76)}`.repeat(26)}$ : fine`,
      /fine$/,
      transpose,
    ],
  ],
  ...[
    ['of the saved cursor', String.raw`\e(=\e7\e(B\e8`],
    ['of the right half', String.raw`\e)=\e~`],
    ['of another place', String.raw`\e*=\en\e(B`],
    ['that a title does not shift back', String.raw`\e)=\x0e\e]0;\x0f\a`],
  ].map(([what, set]): [string, Doings] => [
    `edited in another set of characters, ${what}`,
    ["PS1='$ '\r", /\$ '[^]*\$ /, `echo -e '${set}'\r`, 300, 'wto 12', 300, transpose],
  ]),
  [
    'edited within margins of the terminal',
    ["echo -e '\\e[5;8r\\e[?6h'\r", prompt, 'rpintf %s-%s ran now', /now$/, transpose],
  ],
  [
    'edited where rows of the terminal do not go on below',
    [
      "echo -e '\\e[?7l'; set -o vi; PS1='$ '\r",
      /\$ '[^]*\$ /,
      `: ${'y'.repeat(80 - 2 - 2 - 3)}; Xrintf %s-%s ran now`,
      /w$/,
      '\x1b',
      200,
      'FX',
      200,
      'rp',
      200,
      '\r',
    ],
  ],
  [
    'by a pipe of less',
    ['seq 100 > many; less many\r', /1049h[^]*many/, '|$', /!/, `cat > not; ${forbidden}\r`],
  ],
  [
    'pasted behind another line, where an interrupt takes nothing away',
    ["trap '' INT\r", prompt, `\x1b[200~echo a\r${forbidden} #\x1b[201~`, /now #/, ctrl('C'), /\^C|#/, 'x\r'],
  ],
  [
    'typed ahead and edited, where it ends like a prompt',
    ['cd /tmp; sleep 1\r', `rintf %s-%s ran now #${ctrl('A')}p${ctrl('E')}`, /1@p/, ' x\r'],
  ],
  [
    'in a line of the history that is taller than the screen',
    ['x=ntf; history -s "$(echo pri$x %s-%s ran now; seq 40)"\r', prompt, up, /40$/, '\r'],
  ],
  [
    'in a paste that is taller than the screen and edited',
    [`\x1b[200~${'true\r'.repeat(35)}prntf %s-%s ran now\x1b[201~`, /now/, left.repeat(17), 'i\r'],
  ],
  [
    'called from the history within quotes of the other kind',
    ['echo rintf %s-%s ran now\r', /rintf %s-%s ran now\s[^]*\$ $/, `: "'"; p!!:*\r`],
  ],
  [
    'called from the history in a line that begins within quotes',
    ['echo rintf %s-%s ran now\r', /rintf %s-%s ran now\s[^]*\$ $/, ": '\r", /> $/, "'; p!-2:* #'\r"],
  ],
  [
    'in a line behind a list of completions that looks like the prompt',
    [
      "PS1='$ '\r",
      /'\$ '[^]*\$ /,
      `\x1b[200~rintf %s-%s ran now\r$ ls /etc/s\x1b[201~`,
      /etc/,
      `${ctrl('A')}p`,
      /1@p|printf/,
      `${ctrl('E')}\t\t`,
      /shells/,
      '\r',
    ],
  ],
  [
    'without bracketed pastes, behind a line that was refused and an interrupt does not take away',
    ["bind 'set enable-bracketed-paste off'; trap '' INT\r", prompt, `${forbidden} #\r`, refusal, ' $\r'],
  ],
  [
    'without bracketed pastes, behind a pager that leaves the screen as it is',
    [
      "bind 'set enable-bracketed-paste off'; seq 200 > many\r",
      prompt,
      'less -X many\r',
      /7mmany/,
      'q',
      prompt,
      `${forbidden}\r`,
    ],
  ],
  [
    'in tmux, behind a pager that a key ended',
    [...inTmux(), 'sleep 2.1; seq 300 | less\r', /22\s+:/, 'q', /less[^]*\$ /, `${forbidden}\r`],
  ],
  [
    'in tmux, behind a row of blanks in the line',
    [...inTmux(beside), `: a${' '.repeat(100)}; ${forbidden}`, /now/, ctrl('A'), '\r'],
  ],
  [
    'in tmux, in a line of which a row looks like the prompt',
    [...inTmux(), '\x1b[200~rintf %s-%s ran now\r$ echo hi\x1b[201~', /hi/, `${ctrl('A')}p`, ctrl('E'), '\r'],
  ],
  [
    'in tmux, behind an interrupt that takes nothing away',
    [
      ...inTmux(),
      "trap '' INT\r",
      /INT\s+\$ /,
      `\x1b[200~rintf %s-%s ran now\r: #\x1b[201~`,
      /: #/,
      `${ctrl('A')}p${ctrl('E')}`,
      // An interrupt drops keys that nobody has taken yet.
      500,
      ctrl('C'),
      'y',
      '\r',
    ],
  ],
  [
    'called from the history in the second row of a pane of tmux, taken from the first',
    [
      ...inTmux(beside),
      'x=ntf; history -s "pri$x %s-%s ran now"\r',
      /now"[^]*\$ /,
      `: ${'x'.repeat(50)}; !pri`,
      /!pri/,
      ctrl('A'),
      '\r',
    ],
  ],
  [
    'across the rows of a pane of tmux, where its last row looks like the prompt',
    [...inTmux(beside), `: ${'x'.repeat(30)}; ${forbidden}; : ${'y'.repeat(16)}$ echo hi`, /hi/, left, '\r'],
  ],
  [
    'in tmux, typed before the person left it and came back',
    [
      ...inTmux('', leftTmux),
      forbidden,
      /now/,
      ctrl('B'),
      50,
      'd',
      /detached[^]*\$ $/,
      `tmux -L ${leftTmux} attach\r`,
      /attach[^]*1049h[^]*now/,
      '\r',
    ],
  ],
  [
    'in tmux, begun before a line feed in it',
    [...inTmux(), `pri${ctrl('V')}`, 300, '\r', 2600, '\x7f', 'ntf %s-%s ran now', /now/, '\r'],
  ],
  [
    'as a command of vim that is wider than the screen and edited',
    ['vim -u NONE -i NONE -N\r', /~\W+~/, `:!printf \\%s-\\%s ran now; : ${'x'.repeat(90)}`, 500, left, '\r'],
  ],
  [
    'as a command of vim that is edited, at once',
    ['vim -u NONE -i NONE -N\r', /~\W+~/, `:!rintf \\%s-\\%s ran now${left.repeat(21)}p\r`],
  ],
  ['in another pane of tmux', [...inTmux(beside), ctrl('B'), 50, `o${forbidden}`, /now/, '\r']],
  [
    'in the second row of a pane of tmux, taken from the first',
    [...inTmux(beside), `: ${'x'.repeat(40)}; ${forbidden}`, /now/, ctrl('A'), '\r'],
  ],
  [
    'across the rows of a pane of tmux',
    [...inTmux(beside), `: ${'x'.repeat(30)}; ${forbidden}`, /now/, ctrl('A'), '\r'],
  ],
  [
    'beside a pane of tmux, where its program has three rows at the bottom to itself',
    [...inTmux(beside), 'tmux set status 3\r', 1000, `${forbidden}\r`],
  ],
  [
    'beside a pane of tmux whose border has numbers in it',
    [...inTmux(beside), 'tmux set pane-border-lines number\r', 1000, `${forbidden}\r`],
  ],
  [
    'in tmux, ending like a prompt, left and found again',
    [
      ...inTmux('', found),
      `${forbidden} #`,
      /now #/,
      ctrl('B'),
      50,
      'd',
      /1049l/,
      `tmux -L ${found} attach\r`,
      /1049h[^]*now #/,
      1000,
      '\r',
    ],
  ],
  [
    'in tmux where nothing is shown, with its first letter behind a key of tmux',
    [...inTmux(), 'stty -echo\r', 1200, ctrl('A'), 500, 'p', 500, 'rintf %s-%s ran now\r'],
  ],
  [
    'at the prompt of tmux itself, over an editor',
    [
      `tmux -L ${randomUUID()} -f /dev/null new "vim -u NONE"\r`,
      /1049h[^]*~/,
      1000,
      ctrl('B'),
      300,
      ':',
      400,
      `split "${forbidden}"\r`,
    ],
  ],
]

test('beside a pane of tmux lines are judged behind one that was refused, too', async () => {
  const client = await openShell()
  await carryOut(client, [...inTmux(beside), `${forbidden}\r`, refusal, 1500])
  const before = client.text.length
  await carryOut(client, [`${forbidden}\r`, 1000, 'echo be-$((1+1))\r', /be-2/])
  expect(client.text.slice(before)).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test('in tmux a line of several rows is fetched from the history and run', async () => {
  const client = await openShell()
  await carryOut(client, [...inTmux(), "echo 'a\r", />/, "b-'$((1+1))\r", /b-2/, 500, up, /b-'[^]*b-'/, '\r'])
  await expect.poll(() => client.text.split('b-2').length, { timeout: 10_000 }).toBeGreaterThan(2)
  expect(client.text).not.toMatch(refusal)
})

test.each(caughtOnly)('is refused, and nothing else asked: %s', async (_way, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

describe('by a pattern that begins with the line', () => {
  beforeAll(() => {
    bench.server.filters = [filter('reject', String.raw`^\s*printf\b`)]
  })
  afterAll(() => {
    bench.server.filters = [filter('reject', String.raw`\bprintf\b`)]
  })

  test.each<[string, Doings]>([
    ['behind a list of what could complete it', ['print\t\t', /printenv[^]*print$/, 'f %s-%s ran now\r']],
    [
      'in the second line of one from the history',
      ['x=ntf; history -s "$(echo true; echo "pri$x %s-%s ran now")"\r', prompt, up, /now$/, '\r'],
    ],
    [
      'in the second line of a paste that is edited',
      [`\x1b[200~true\rprntf %s-%s ran now\x1b[201~`, /now/, left.repeat(17), 'i\r'],
    ],
  ])('is refused: %s', async (_way, doings) => {
    const client = await openShell()
    await carryOut(client, doings)
    await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(/forbidden/)
    expect(client.text).not.toContain('ran-now')
  })
})

test('is refused behind thousands of blanks on the alternate screen', async () => {
  const client = await openShell(200, 40)
  await carryOut(client, ['tput smcup\r', /1049h[^]*\$ $/, `true${' '.repeat(2100)}; ${forbidden}\r`])
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test('is refused with a prompt that paints over what is typed', async () => {
  const client = await openShell()
  await carryOut(client, [`PS1='$ \\[\\e[1;1H\\]'\r`, /1H$/, `${forbidden}\r`])
  await expect.poll(() => client.text).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test.each([
  ['one column and one line', 1, 1],
  ['twenty columns', 20, 4],
])('is refused in a window of %s', async (_size, cols, rows) => {
  const client = await openShell(cols, rows)
  client.type(`${forbidden}\r`)
  await expect.poll(() => client.text).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

/** Presses keys one after the other, each when the shell has answered the one before. */
async function press(client: TestClient, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    const seen = client.output.byteLength
    client.type(key)
    await expect.poll(() => client.output.byteLength).toBeGreaterThan(seen)
  }
}

test('is refused where the word goes on in the next row, gone over to the beginning and the end', async () => {
  const client = await openShell()
  await carryOut(client, ["PS1='> '\r", /> $/, `: ${'x'.repeat(71)}; ${forbidden}`, /now$/])
  await press(client, ctrl('A'), ctrl('E'), '\r')
  await expect.poll(() => client.text).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test('is refused in a line of its own behind one that ends at the edge, gone over', async () => {
  const client = await openShell()
  const full = `: ${'x'.repeat(76)}`
  await carryOut(client, ["PS1='> '\r", /> $/, `\x1b[200~${full}\n${forbidden}\x1b[201~`, /now/])
  await press(client, ctrl('A'), ctrl('E'), '\r')
  await expect.poll(() => client.text).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test('a hundred pasted lines go on at once, and are judged', async () => {
  const client = await openShell()
  const lines = Array.from({ length: 100 }, (_, index) => `echo line-${index}-$((1+1))`)
  client.type(`\x1b[200~${lines.join('\r')}\x1b[201~\r`)
  await expect.poll(() => client.text, { timeout: 20_000 }).toContain('line-99-2')
  client.type(`\x1b[200~${[...lines, forbidden].join('\r')}\x1b[201~\r`)
  await expect.poll(() => client.text, { timeout: 20_000 }).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test('is refused while the window changes', async () => {
  const client = await openShell()
  client.type('printf %s-%s ')
  await expect.poll(() => client.text).toContain('%s-%s')
  client.resizeTo({ cols: 25, rows: 10 })
  client.type('ran ')
  client.resizeTo({ cols: 60, rows: 30 })
  client.type(`now${left}\r`)
  await expect.poll(() => client.text).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test('is refused in another pane of tmux than an editor, where all keys come at once', async () => {
  const client = await openShell()
  const to = `${ctrl('B')}o`
  await carryOut(client, [...inTmux(beside), 'vim -u NONE\r', /~\W+~/, to, 500])
  await carryOut(client, ['rpintf %s-%s ran now', /now/, transpose.slice(0, -1), 300, to, 500, `${to}\r`])
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(/ran-now|could not be read|forbidden/)
  expect(client.text).not.toContain('ran-now')
})

test('is refused edited while the window becomes as wide as the prompt', async () => {
  const client = await openShell()
  await carryOut(client, ["PS1='aaaaaaaaaaaaaaaaaa$ '\r", /a\$ $/, 'rpintf %s-%s ran now', /now$/])
  client.type(transpose.slice(0, -1))
  client.resizeTo({ cols: 20, rows: 20 })
  await carryOut(client, [1000, '\r'])
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(/ran-now|could not be read/)
  expect(client.text).not.toContain('ran-now')
})

test.each([
  ['of vi mode run what an editor leaves', ['set -o vi\r', prompt, ': \x1b', 'hv#', 'i\r']],
  ['follow a word gone back over', [`: abc\x1bb`, 'v#\r']],
])('keys that are text, or %s, are text', async (_what, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => client.text).toMatch(/v[^\n]*#[^\n]*\n[^]*\$ $/)
  client.type('echo still-$((1+1))\r')
  await expect.poll(() => client.text).toContain('still-2')
  expect(client.text).not.toMatch(refusal)
})

/** What a filter on a terminal cannot tell: these run, and the page about filters says so. */
const named: [string, Doings][] = [
  ['put together by a variable', ['x=ntf; pri$x %s-%s ran now\r']],
  ['found by a glob', ['/usr/bin/print? %s-%s ran now\r']],
  ['decoded', ['eval "$(echo cHJpbnRmICVzLSVzIHJhbiBub3c= | base64 -d)"\r']],
  ['by another program', [`perl -e 'print join("-", "ran", "now")'\r`]],
  ['in a script', ['x=ntf; echo "pri$x %s-%s ran now" > way.sh; . ./way.sh\r']],
  ['from the history by fc', ['x=ntf; history -s "pri$x %s-%s ran now"\r', prompt, 'fc -s pri\r']],
  ['by a key bound to it', ['x=ntf; bind "\\"\\C-t\\":\\"pri$x %s-%s ran now\\C-m\\""\r', prompt, ctrl('T')]],
]

test.each(named)('is not caught, and named in the docs: %s', async (_way, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => client.text, { timeout: 10_000 }).toContain('ran-now')
})

test.each<[string, Doings]>([
  ['with the kill key', [`stty kill undef; set +o emacs\r`, prompt, `${forbidden} #${ctrl('U')}\r`]],
  [
    'with the erase key',
    [`stty erase undef; set +o emacs\r`, prompt, `${forbidden} #${'\x7f'.repeat(24)}\r`],
  ],
  [
    'with the kill key, and begun anew like what stands there,',
    [`stty kill undef; set +o emacs\r`, prompt, ':', /:$/, `;${forbidden} #${ctrl('U')}:\r`],
  ],
  [
    'with the kill key where nothing is shown',
    [`stty kill undef -echo; set +o emacs\r`, prompt, `${forbidden} #${ctrl('U')}\r`],
  ],
])('what only seems erased %s is refused', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => client.text).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test.each<[string, Doings]>([
  ['after it was refused', ["trap '' INT\r", prompt, `${forbidden}\r`, refusal, ' #\r']],
  ['after Ctrl-C', ["trap '' INT\r", prompt, forbidden, /now$/, ctrl('C'), ' #\r']],
  ['where no key interrupts', ['stty intr undef\r', prompt, `${forbidden} #`, /#$/, `${ctrl('C')}\r`]],
  ['where no key interrupts, typed at once', ['stty intr undef\r', prompt, `${forbidden} #${ctrl('C')}\r`]],
  [
    'in a plain shell that keeps it at Ctrl-C',
    [
      'exec dash\r',
      /2004l\s*\$ $/,
      "stty noflsh; trap '' INT\r",
      prompt,
      forbidden,
      /now$/,
      ctrl('C'),
      ' #\r',
    ],
  ],
  ['nothing of which is shown', ["stty -echo; trap '' INT\r", prompt, forbidden, ctrl('C'), ' #\r']],
  [
    'pasted with a key that erases',
    ['set +o emacs; stty -echo\r', prompt, `\x1b[200~pX\x7f${forbidden.slice(1)} #\x1b[201~\r`],
  ],
  [
    'pasted with a key that erases, into a shell that only says it knows pastes',
    [
      'exec dash\r',
      /2004l\s*\$ $/,
      "stty -echo; echo '\\033[?2004h'\r",
      // oxlint-disable-next-line no-control-regex -- as the shell says it
      /\x1b\[\?2004h\r?\n\$ $/,
      `\x1b[200~\rpX\x7f${forbidden.slice(1)} #\r\x1b[201~`,
    ],
  ],
])('a line that stays is refused with what is typed behind it: %s', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => client.text.match(new RegExp(refusal, 'g'))?.length ?? 0).toBeGreaterThan(0)
  await sleep(300)
  expect(client.text).not.toContain('ran-now')
})

test.each<[string, Doings]>([
  ['edited ahead, while a command runs', ['sleep 1\r', /sleep 1\r\n/, `rintf %s-%s ran now${ctrl('A')}p\r`]],
  [
    'from the history ahead, while a command runs',
    ['x=ntf; history -s "pri$x %s-%s ran now"\r', prompt, ' sleep 1\r', /sleep 1\r\n/, `${up}${up}\r`],
  ],
  [
    'completed in more than a moment',
    [
      'x=ntf; _c() { sleep 0.6; COMPREPLY=("pri$x"); }; complete -F _c env\r',
      prompt,
      'env p\t%s-%s ran now\r',
    ],
  ],
  [
    'behind Ctrl-S, where Ctrl-C is no key',
    ['stty intr undef\r', prompt, 'x', /x$/, ctrl('S'), `${ctrl('C')}${ctrl('A')}${forbidden} #\r`],
  ],
  [
    'on the alternate screen, behind Ctrl-C that takes nothing away',
    ["tput smcup; trap '' INT\r", prompt, forbidden, /now$/, ctrl('C'), ' #\r'],
  ],
])('is refused or forbidden: %s', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  await expect.poll(() => client.text, { timeout: 15_000 }).toMatch(refusal)
  await sleep(300)
  expect(client.text).not.toContain('ran-now')
})

test.each<[string, Doings]>([
  [
    'to Ctrl-C',
    ['stty intr undef; x=ntf; bind "\\"\\C-c\\":\\"pri$x %s-%s ran now\\C-m\\""\r', prompt, ctrl('C')],
  ],
  [
    'behind lines typed ahead that it ends like',
    [bindKey, prompt, 'sleep 1; read a\r', /read a\r\n/, 'w\r', ctrl('T')],
  ],
])('what runs by a key bound %s is dangerous on the books, and told', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, [...doings, /ran-now[^]*\$ $/, 'exit\r'])
  await expectTold()
})

test('in a shell that knows no pastes, what is sent like one is on the books', async () => {
  const client = await openShell()
  await carryOut(client, [
    'exec dash\r',
    /2004l\s*\$ $/,
    '\x1b[200~\r',
    prompt,
    'echo in-$((1+1))\r',
    /in-2/,
    'exit\r',
  ])
  await session?.done
  const { id = '' } = session ?? {}
  await expect
    .poll(() => bench.server.commands.filter((row) => row.session === id).map(({ input }) => input))
    .toContain('echo in-$((1+1))')
})

test('behind Ctrl-C at a prompt that goes on, the next line is judged by itself', async () => {
  const client = await openShell()
  await carryOut(client, [
    'exec dash\r',
    /2004l\s*\$ $/,
    'for i in 1; do\r',
    /> $/,
    'printf a',
    /a$/,
    ctrl('C'),
    /\$ $/,
  ])
  await carryOut(client, ['echo next-$((1+1))\r', /next-2/])
  expect(client.text).not.toMatch(refusal)
})

test('without bracketed pastes, behind an edited line that was interrupted or refused, the next one is read at whatever prompt', async () => {
  const client = await openShell()
  await carryOut(client, ["bind 'set enable-bracketed-paste off'; PS1='[$?] \\$ '\r", /\[0\] \$ $/])
  await carryOut(client, [
    'abc',
    /abc$/,
    left,
    ctrl('C'),
    /130\] \$ $/,
    'echo next-$((1+1))\r',
    /next-2[^]*\$ $/,
  ])
  await carryOut(client, [forbidden, /now$/, left, '\r', /forbidden[^]*130\] \$ $/])
  await carryOut(client, ['echo next-$((2+1))\r', /next-3[^]*\$ $/, 'exit\r'])
  expect(client.text.match(new RegExp(refusal, 'g'))).toHaveLength(1)
  await session?.done
  const [, ...rows] = booked()
  expect(rows).toEqual(['echo next-$((1+1))', forbidden, 'echo next-$((2+1))', 'exit'])
})

test('in tmux, behind a line that was interrupted or refused, the next one is read at whatever prompt, and on the books', async () => {
  const client = await openShell()
  const status = /\[130\] \$ $/
  await carryOut(client, [...inTmux(), "PS1='[$?] \\$ '\r", /\[0\] \$ $/])
  await carryOut(client, ['abc', /abc$/, ctrl('C'), status, 'echo next-$((1+1))\r', /next-2[^]*\$ $/])
  await carryOut(client, ['abc', /abc$/, left, ctrl('C'), status, 'echo next-$((2+1))\r', /next-3[^]*\$ $/])
  await carryOut(client, [`${forbidden}\r`, /forbidden[^]*130\] \$ $/])
  await carryOut(client, ['echo next-$((3+1))\r', /next-4[^]*\$ $/, 'exit\r', /exited/, 'exit\r'])
  await session?.done
  const next = (number: number) => `echo next-$((${number}+1))`
  await expect.poll(() => booked().slice(3)).toEqual([next(1), next(2), forbidden, next(3), 'exit', 'exit'])
})

test('behind an interrupt that took the line away nothing is refused', async () => {
  const client = await openShell()
  await carryOut(client, [`${forbidden}\r`, refusal, /\$ $/, 'echo next-$((1+1))\r', /next-2[^]*\$ $/])
  await carryOut(client, [`${forbidden}${ctrl('C')}`, prompt, 'echo next-$((2+1))\r', /next-3[^]*\$ $/])
  await carryOut(client, [
    'exec dash\r',
    /2004l\s*\$ $/,
    `${forbidden}\r`,
    refusal,
    /\$ $/,
    'echo next-$((4+1))\r',
    /next-5/,
  ])
  expect(client.text.match(new RegExp(refusal, 'g'))).toHaveLength(2)
})

test('what is written while the terminal keeps output to itself is refused', async () => {
  const client = await openShell()
  await carryOut(client, ['x', /x$/, ctrl('S'), `${ctrl('A')}${forbidden} #\r`])
  await expect.poll(() => client.text).toMatch(refusal)
  await carryOut(client, [ctrl('Q'), 'exit\r'])
  expect(client.text).not.toContain('ran-now')
})

test.each<[string, Doings]>([
  ['that was moved in', [ctrl('A'), left, '\x1b[F']],
  ['fetched and left again', [up, /true$/, '\x1b[B']],
  ['erased by words', ['foo bar', /bar$/, ctrl('W'), ctrl('W')]],
])('an empty line is no line: one %s', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, ["bind 'set bell-style audible'; true\r", prompt, 'true\r', prompt])
  await carryOut(client, doings.slice(0, -1))
  const last = doings.at(-1)
  await press(client, typeof last === 'string' ? last : '', '\r')
  await carryOut(client, ['echo next-$((1+1))\r', /next-2[^]*\$ $/, 'exit\r'])
  expect(client.text).not.toMatch(refusal)
  await session?.done
  const rows = bench.server.commands.filter(({ session: id }) => id === session?.id)
  expect(rows.map(({ risk_level: risk }) => risk)).toEqual(rows.map(() => 0))
})

test.each(['🫠', '䷀'])(
  'an edited line with %s, on whose width not everybody agrees, is refused unread',
  async (sign) => {
    const client = await openShell()
    await carryOut(client, ["PS1='$ '\r", /2004h\$ $/, `: abc ${sign}; ritf %s-%s ran now`, /now$/])
    await press(client, ctrl('A'), ...Array.from({ length: 14 }, () => '\x1b[C'), 'n', left, left, left, 'p')
    client.type('\r')
    await expect.poll(() => client.text).toMatch(/could not be read/)
    expect(client.text).not.toContain('ran-now')
    await carryOut(client, [prompt, 'echo 🫠-$((1+1))\r', /🫠-2/])
  },
)

test('keys that change nothing, or take all away, are no reason to refuse', async () => {
  const client = await openShell()
  await carryOut(client, [`echo end-$((1+1))${ctrl('E')}\r`, /end-2[^]*\$ $/])
  await carryOut(client, [`nonsense${ctrl('U')}\r`, prompt, `lss\x7f -d $((1+1))\r`, /access '2'[^]*\$ $/])
  expect(client.text).not.toMatch(refusal)
})

/** What the session has on the books. */
const booked = () =>
  bench.server.commands.flatMap(({ session: id, input }) => (id === session?.id ? [input] : []))

test.each<[string, Doings]>([
  ['', ['env HOME\r']],
  [', completed once more behind it', ['en\t', /env $/, 'HOME\r']],
  [', edited behind it', ['env HOMEx', /HOMEx$/, `\x7f${left}${left}${ctrl('E')}\r`]],
  [', listed once more behind it', ['e\t', /env $/, 'HOM\t\t', /HOM/, 'E\r']],
])('what a list of completions names is none of the line%s', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, ['print\t\t', /printf[^]*print$/, ...doings, /\/[^]*\$ $/, 'exit\r'])
  expect(client.text).not.toMatch(refusal)
  await session?.done
  await expect.poll(booked).toEqual(['printenv HOME', 'exit'])
})

const files = 'cd; mkdir -p crowd; cd crowd; touch {a..d}{100..199}; PS1="\\$ "\r'
const asks = /possibilities\? \(y or n\)$/

test.each<[string, string, Doings]>([
  ['no', '', ['n', /\$ ls $/]],
  ['nothing it takes, then no', '', ['xn', /\$ ls $/]],
  ['yes, and seen in part', '', ['y', /--More--$/, 'q', /\$ ls $/]],
  ['yes, and seen whole', '', [' ', /--More--$/, ' ', /[abcd]1\d\d\s+\$ ls $/]],
  ['no, and more is completed', 'a100 ', ['n', /\$ ls $/, 'a10\t\t', /a109\s+\$ ls a10$/, '0 ']],
  ['no, and the line is edited', '', ['nx', /\$ ls x$/, '\x7f']],
])('a line whose many completions are asked about is read as it stands: %s', async (_how, more, doings) => {
  const client = await openShell()
  const line = `ls ${more}a123 end-$((1+1))`
  await carryOut(client, [files, prompt, 'ls \t\t', asks, ...doings])
  await carryOut(client, ['a123 end-$((1+1))\r', /end-2[^]*\$ $/, 'exit\r'])
  expect(client.text).not.toMatch(refusal)
  await session?.done
  await expect.poll(() => booked().slice(1)).toEqual([line, 'exit'])
})

test('so is one whose list is longer than what is kept of the screen', async () => {
  const client = await openShell()
  const long =
    'mkdir long; cd long; touch {100..350}$(seq -s- 20); bind "set page-completions off"; PS1="\\$ "\r'
  await carryOut(client, [
    long,
    prompt,
    'ls \t\t',
    asks,
    'y',
    /\$ ls $/,
    'a123 end-$((1+1))\r',
    /end-2[^]*\$ $/,
  ])
  await carryOut(client, ['exit\r'])
  expect(client.text).not.toMatch(refusal)
  await session?.done
  await expect.poll(() => booked().slice(1)).toEqual(['ls a123 end-$((1+1))', 'exit'])
})

test('an answer that is typed before the question, one that is interrupted, and one at an empty line are none of the line', async () => {
  const client = await openShell()
  await carryOut(client, [files, prompt, 'ls \t\tna123 end-$((1+1))\r', /end-2[^]*\$ $/])
  await carryOut(client, ['ls \t\t', asks, ctrl('C'), prompt, 'ls end-$((1+2))\r', /end-3[^]*\$ $/])
  await carryOut(client, ['\t\t', asks, 'n', /\$ $/, 'ls end-$((1+3))\r', /end-4[^]*\$ $/, 'exit\r'])
  expect(client.text).not.toMatch(refusal)
  await session?.done
  const lines = ['ls a123 end-$((1+1))', 'ls end-$((1+2))', 'ls end-$((1+3))', 'exit']
  await expect.poll(() => booked().slice(1)).toEqual(lines)
})

const block = ['\x1b[200~echo one-$((1+1))\recho two-$((1+1))\x1b[201~', /echo two/, '\r', /two-2/]

test.each<[string, Doings]>([
  ['that was cleared', [prompt, ctrl('L'), /\$ $/, ...block]],
  [
    'whose line from the history was left',
    [prompt, ': old\r', prompt, '\x1b[A', /: old$/, '\x1b[B', 300, ...block],
  ],
  ['that was cleared, in tmux', [...inTmux(), ctrl('L'), 300, ...block]],
])('several lines are pasted at a prompt %s', async (_how, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  expect(client.text).not.toMatch(refusal)
})

test('in tmux the history is searched, and what was pasted there does not wait for each of its lines', async () => {
  const client = await openShell()
  await carryOut(client, [
    ...inTmux(),
    'echo found-$((1+1))\r',
    /found-2/,
    ctrl('R'),
    'foun',
    /7mfoun|foun[^]*foun/,
    '\r',
  ])
  await expect.poll(() => client.text.split('found-2').length).toBe(3)
  const begun = performance.now()
  const lines = Array.from({ length: 20 }, (_none, n) => `: line ${n}`).join('\r')
  await carryOut(client, [`\x1b[200~${lines}; echo all-$((1+1))\x1b[201~\r`, /all-2/])
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(client.text).not.toMatch(refusal)
})

test('a paste that is taller than the screen is on the books as it was pasted', async () => {
  const client = await openShell()
  const lines = Array.from({ length: 40 }, (_none, n) => `echo line-${n}-$((1+1))`).join('\r')
  await carryOut(client, [`\x1b[200~${lines}\x1b[201~`, /line-39/, '\r', /line-39-2[^]*\$ $/, 'exit\r'])
  await session?.done
  await expect.poll(booked).toEqual([lines.replaceAll('\r', '\n'), 'exit'])
})

const awk = (n: number): Doings => [
  `awk '!s[$0]++' /etc/hosts; echo ok-$((${n}+1))\r`,
  new RegExp(`ok-${n + 1}`),
  prompt,
]

test.each<[string, Doings]>([
  [
    'a comment',
    [": # it's\r", prompt, ...awk(1), `echo "hello world!"; echo "it's $!"\r`, prompt, ...awk(2)],
  ],
  ['a here-document', ['cat > it << E\r', /> $/, "we don't\r", /> $/, 'E\r', prompt, ...awk(1), ...awk(2)]],
  [
    'a here-document with a script',
    ['cat > it << E\r', /> $/, "# don't\r", /> $/, "awk '!s[$0]++'\r", /> $/, 'E\r', prompt],
  ],
  [
    'typed ahead',
    [`: # it's\rcat > it << E\rwe don't\rE\rawk '!s[$0]++' /etc/hosts; echo ok-$((1+1))\r`, /ok-2/],
  ],
  ['lines typed ahead while a command runs', [`sleep 0.5\r: # it's\r`, /# it's\r[^]*\$ $/, ...awk(1)]],
  ['an interrupted quote', [": 'it\r", /> $/, ctrl('C'), prompt, ...awk(1)]],
  ['what was read', ['read a\r', /read a\r\n/, "it's\r", prompt, ...awk(1)]],
  ['a question', ["read -p 'Name: ' a\r", /Name: $/, "it's\r", prompt, ...awk(1)]],
  ['a password', ["read -sp 'Password: ' a\r", /Password: $/, "it's!so\r", prompt, ...awk(1)]],
  [
    'another language',
    ['/usr/bin/python3 -q\r', />>> $/, "'it\\'s'\r", />>> $/, ctrl('D'), prompt, ...awk(1)],
  ],
  ['several lines', ["awk '\r", /> $/, '!s[$0]++\r', /> $/, "' /etc/hosts\r", prompt, ...awk(1)]],
  [
    'a loop',
    [
      'for i in 1; do\r',
      /> $/,
      `echo "it's"\r`,
      /> $/,
      "awk '!s[$0]++' /etc/hosts\r",
      /> $/,
      'done\r',
      prompt,
    ],
  ],
  ['a shell without line editing', ['exec dash\r', /2004l\s*\$ $/, ": # it's\r", prompt, ...awk(1)]],
  [
    'tmux',
    [...inTmux(), ": # it's\r", /it's\s+\$ /, "awk '!s[$0]++' /etc/hosts; echo ok-$((1+1))\r", /ok-2/],
  ],
])('an apostrophe is no reason to refuse what follows: %s', async (_where, doings) => {
  const client = await openShell()
  await carryOut(client, doings)
  expect(client.text).not.toMatch(refusal)
})

test('what bash takes for no call of the history is none', async () => {
  const client = await openShell()
  const names = 'declare -A x=([only]=1); echo key-${!x[@]} "${!x[@]}"'
  await carryOut(client, [`${names}; : [!a]* *[!0-9] /proc/$!/fd\r`, /key-only only[^]*\$ $/])
  expect(client.text).not.toMatch(refusal)
})

test('a script is written in a here-document', async () => {
  const client = await openShell()
  await carryOut(client, ['cat > script << E\r', /> $/, '#!/bin/sh\r', /> $/, 'true\rE\r', prompt])
  await carryOut(client, ['\x1b[200~cat > script << E\r#!/bin/sh\rtrue\rE\x1b[201~\r', prompt])
  expect(client.text).not.toMatch(refusal)
})

test('what a person types soon behind a paste that was refused is not lost', async () => {
  const client = await openShell()
  const lines = Array.from({ length: 40 }, (_none, n) => `: ${n}-of-the-script`)
  await carryOut(client, [['true', forbidden, ...lines].join('\r'), /forbidden[^]*\$ $/])
  await sleep(100)
  for (const key of 'echo still-$((1+1))\r') {
    client.type(key)
    await sleep(30)
  }
  await expect.poll(() => client.text, { timeout: 10_000 }).toContain('still-2')
})

test('of a paste that comes in pieces nothing is run behind a refused line', async () => {
  const client = await openShell()
  const lines = Array.from({ length: 600 }, (_none, n) => `: ${n}-of-the-script`)
  const paste = Buffer.from(['true', forbidden, ...lines].join('\r'))
  for (let at = 0; at < paste.length; at += 4096) client.stdin.write(paste.subarray(at, at + 4096))
  await carryOut(client, [/forbidden[^]*\$ $/])
  await sleep(400)
  await carryOut(client, ['echo still-$((1+1))\r', /still-2[^]*\$ $/, 'exit\r'])
  await session?.done
  await expect.poll(booked).toEqual(['true', forbidden, 'echo still-$((1+1))', 'exit'])
})

test('in a pager that leaves the screen as it is, one walks, searches and goes on, and commands behind it are read', async () => {
  const client = await openShell()
  const down = '\x1bOB'
  await carryOut(client, ['seq 200 > many; less -X many\r', /7mmany/, `${down}${down}\r`, /26/])
  await carryOut(client, ['/150\r', /150[^]*17[0-9]/, `${down}\r`, /17[^]*:/, 'q', /\$ $/])
  await carryOut(client, ['echo after-$((1+1))\r', /after-2[^]*\$ $/, 'exit\r'])
  expect(client.text).not.toMatch(refusal)
  await session?.done
  await expect.poll(booked).toEqual(['seq 200 > many; less -X many', 'echo after-$((1+1))', 'exit'])
})

describe('at a target that takes its time to answer', () => {
  let lateMs = 180
  let far: TestHost
  const server = createServer((near) => {
    const to = connect(bench.sshd.port, bench.sshd.host)
    const late = (from: Socket, into: Socket) => {
      from.on('data', (data: Buffer) => void setTimeout(() => into.writable && into.write(data), lateMs / 2))
      from.on('close', () => into.destroy()).on('error', () => into.destroy())
    }
    late(near, to)
    late(to, near)
  })
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { username, privateKey: secret } = bench.sshd
    far = bench.server.addHost('127.0.0.1', (server.address() as AddressInfo).port, {
      username,
      secret,
      secret_type: 'ssh_key',
    })
    bench.server.allow(bench.user, far)
  })
  afterAll(() => {
    server.close()
  })

  test.each<[string, Doings]>([
    ['with the first letter put before it', ['rintf %s-%s ran now', /now$/, `${ctrl('A')}p\r`]],
    ['with a letter taken away', ['priintf %s-%s ran now', /now$/, `${left.repeat(16)}\x7f\r`]],
  ])('is refused: edited %s', async (_how, doings) => {
    const client = shell(80, 24).collect()
    session = bench.open(client, { host: far })
    await carryOut(client, [prompt, ...doings])
    await expect.poll(() => client.text, { timeout: 15_000 }).toMatch(/forbidden|not found/)
    expect(client.text).not.toContain('ran-now')
  })

  test('is refused: edited where it has become slow only then', async () => {
    lateMs = 0
    const client = shell(80, 24).collect()
    session = bench.open(client, { host: far })
    await carryOut(client, [prompt, 'rintf %s-%s ran now', /now$/])
    lateMs = 180
    client.type(`${ctrl('A')}p\r`)
    await expect.poll(() => client.text, { timeout: 15_000 }).toMatch(/forbidden/)
    expect(client.text).not.toContain('ran-now')
  })

  test.each<[string, Doings]>([
    ['edited', ['rintf %s-%s ran now', /now$/, `${ctrl('A')}p\r`]],
    ['edited before the line was shown', ['rintf %s-%s ran now', 140, `${ctrl('A')}p\r`]],
  ])('is refused: %s where a program in between takes its time', async (_how, doings) => {
    const between = join(bench.sshd.dir, 'between.py')
    await writeFile(between, delaying, { mode: 0o644 })
    const client = await openShell()
    const asked = ['echo one\r', /one\r\n[^]*\$ $/, 'echo two\r', /two\r\n[^]*\$ $/]
    await carryOut(client, [`python3 ${between}\r`, /py\r\n[^]*\$ $/, ...asked, ...doings])
    await expect.poll(() => client.text, { timeout: 15_000 }).toMatch(/forbidden/)
    expect(client.text).not.toContain('ran-now')
  })
})

/**
 * Runs bash on a terminal of its own, which has the first two lines typed 300 ms late and what follows 150 ms, and shows the first byte of
 * each answer 50 ms before the others: a busy machine adds to all of them.
 */
const delaying = `
import os, pty, select, time, tty
child, inner = pty.fork()
if child == 0: os.execvp('bash', ['bash', '--norc'])
tty.setraw(0)
waiting = []
lines = 0
while True:
    late = max(0, waiting[0][0] - time.monotonic()) if waiting else None
    ready, _, _ = select.select([0, inner], [], [], late)
    if 0 in ready:
        typed = os.read(0, 4096)
        waiting.append((time.monotonic() + (0.3 if lines < 2 else 0.15), typed))
        lines += typed.count(b'\\r')
    while waiting and waiting[0][0] <= time.monotonic(): os.write(inner, waiting.pop(0)[1])
    if inner in ready:
        shown = os.read(inner, 4096)
        os.write(1, shown[:1])
        time.sleep(0.05)
        os.write(1, shown[1:])
`

/** That what ran in the session is dangerous on the books, and told. */
async function expectTold(): Promise<void> {
  await session?.done
  const { id = '' } = session ?? {}
  const isOfIt = (row: Record<string, unknown>) => row.session === id && row.input === forbidden
  await expect.poll(() => bench.server.commands.find(isOfIt)?.risk_level).toBe(5)
  await expect.poll(() => bench.server.alerts.find(isOfIt)?.risk_level).toBe(5)
}

test.each<[string, Doings]>([
  ['at the prompt', []],
  ['at a prompt nobody typed at before', [`PS1='go: '\r`, /go: $/]],
  [
    'where output before left a prompt in the middle of its row',
    ['echo -n a-$((41+1))\r', /a-42[^]*\$ $/, ':\r', prompt],
  ],
  ['at a prompt in the middle of its row', ['echo -n a-$((41+1))\r', /a-42[^]*\$ $/]],
])(
  'what runs unheld, by a key bound to it %s, is dangerous on the books all the same, and told',
  async (_where, doings) => {
    const client = await openShell()
    await carryOut(client, [bindKey, prompt, ...doings, ctrl('T'), /ran-now/, 'exit\r'])
    await expectTold()
  },
)

test('so it is where the key was pressed while a command ran, and is shown before the prompt', async () => {
  const go = join(bench.sshd.dir, 'bound')
  const client = await openShell()
  const waiting = `until [ -e ${go} ]; do sleep 0.1; done\r`
  await carryOut(client, [bindKey, prompt, waiting, /done\r\n/, ctrl('T'), /\^T/])
  await writeFile(go, '')
  await carryOut(client, [/ran-now/, 'exit\r'])
  await expectTold()
})

test('so it is behind a warning, where the shell stood still and then ran another line than was read', async () => {
  const file = (name: string) => join(bench.sshd.dir, `stop-${name}`)
  const until = (name: string) => `until [ -e ${file(name)} ]; do sleep 0.05; done`
  const stopping = `${until('go')}; kill -STOP $$; echo -n stopped > ${file('stopped')}; ${until('on')}; kill -CONT $$`
  // Another user writes it.
  await writeFile(file('stopped'), '')
  await chmod(file('stopped'), 0o666)
  bench.server.filters.push(filter('warning', String.raw`^\s*true`))
  const client = await openShell()
  await carryOut(client, [`x=ntf; history -s "pri$x %s-%s ran now"; (${stopping}) & disown\r`, prompt])
  await carryOut(client, ['true', /true$/])
  await writeFile(file('go'), '')
  await expect.poll(() => readFile(file('stopped'), 'utf8')).toBe('stopped')
  client.type(`${ctrl('U')}${up}\r`)
  await expect.poll(() => client.notices.join()).toContain('is watched')
  await writeFile(file('on'), '')
  await carryOut(client, [/ran-now/, 'exit\r'])
  bench.server.filters.pop()
  await expectTold()
})

test('what is typed ahead of a key that then erases runs, is dangerous on the books all the same, and told; the docs name it', async () => {
  const go = join(bench.sshd.dir, 'erase')
  const client = await openShell()
  const waiting = `until [ -e ${go} ]; do sleep 0.1; done; stty erase X\r`
  await carryOut(client, [waiting, /erase X\r\n/, `aX${forbidden}\r`, /aXprintf %s-%s ran now\r\n/])
  await writeFile(go, '')
  await carryOut(client, [/ran-now/, 'exit\r'])
  await expectTold()
})

test('what is typed where nothing is shown is judged on the alternate screen, and kept nowhere', async () => {
  const client = await openShell()
  await carryOut(client, [
    `tmux -L ${randomUUID()} -f /dev/null new "stty -echo; echo -n Pass''word:; read x"\r`,
    /Password:/,
    1000,
    'my-printf-hunter2\r',
    refusal,
  ])
  await expect.poll(() => JSON.stringify(bench.server.commands)).toContain('Password:')
  expect(JSON.stringify(bench.server.commands)).not.toContain('hunter2')
})

test('is refused: edited on the alternate screen at a prompt like no shell’s', async () => {
  const client = await openShell()
  await carryOut(client, [
    "tput smcup; PS1='go: '\r",
    /1049h[^]*go: $/,
    'rintf %s-%s ran now',
    /now$/,
    `${ctrl('A')}p\r`,
    refusal,
  ])
  expect(client.text).not.toContain('ran-now')
})

test('where the terminal inserts what it is to write over, lines that nobody edits are run as ever', async () => {
  const client = await openShell()
  await carryOut(client, ["echo -e '\\e[4h'\r", prompt, 'echo still-$((1+1))\r', /still-2/])
  await carryOut(client, [
    "echo -e '\\e[4l'\r",
    prompt,
    'cho again-$((1+1))',
    /\)$/,
    `${ctrl('A')}e\r`,
    /again-2/,
  ])
})

test('output that shifts to a set of characters that is none leaves lines to be edited', async () => {
  const client = await openShell()
  await carryOut(client, [
    "echo -e '\\x0e'\r",
    prompt,
    'cho still-$((1+1))',
    /\)$/,
    `${ctrl('A')}e\r`,
    /still-2/,
  ])
})

test('of a kind of terminal that moves otherwise than an xterm no target is told where lines are judged', async () => {
  const told = async () => {
    const client = new TestClient({ terminal: { term: 'vt52', cols: 80, rows: 24 } }).collect()
    session = bench.open(client)
    await carryOut(client, [prompt, 'echo kind:$(tput longname)\r', /kind:[^$][^\n]*\n/, 'exit\r'])
    await session.done
    return client.text
  }
  expect(await told()).toMatch(/kind:xterm/)
  const { filters } = bench.server
  bench.server.filters = []
  expect(await told()).toMatch(/kind:DEC VT52/)
  bench.server.filters = filters
})

test('letters that only look alike are another word to the shell, too', async () => {
  const client = await openShell()
  client.type('рrintf %s-%s ran now\r')
  await expect.poll(() => client.text).toContain('not found')
  expect(client.text).not.toContain('ran-now')
})

test('is refused in tmux', async () => {
  const client = await openShell()
  client.type(`tmux -L ${session?.id} -f /dev/null new "bash --norc"\r`)
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(/1049h[^]*\$ /)
  client.type('true\r')
  await expect.poll(() => client.text.split('$ ').length).toBeGreaterThan(3)
  client.type(forbidden)
  await expect.poll(() => client.text).toContain('ran now')
  client.type('\r')
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(refusal)
  client.type(`echo one-$((1+1))\r${forbidden}\r`)
  await expect.poll(() => client.text, { timeout: 10_000 }).toContain('one-2')
  await expect.poll(() => client.text.split('forbidden').length, { timeout: 10_000 }).toBeGreaterThan(2)
  expect(client.text).not.toContain('ran-now')
})

test('is refused in tmux while a command runs, however long; not caught, and named in the docs, where that one’s line has gone from the screen', async () => {
  const go = join(bench.sshd.dir, 'go')
  execFileSync('mkfifo', ['-m', '666', go])
  const client = await openShell()
  /** Runs for longer than what is typed soon behind a line counts as its like, and then until it may end. */
  const running = (shown: string) => `sleep 2.1; ${shown}; cat ${go}\r`
  await carryOut(client, [
    `tmux -L ${session?.id} -f /dev/null new "bash --norc"\r`,
    /1049h[^]*\$ /,
    running('echo one-$((1+1))'),
    /one-2/,
  ])
  const before = client.text.length
  client.type(`${forbidden}\r`)
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(refusal)
  // The interrupt that gives it up ends what runs, too.
  await expect.poll(() => client.text.slice(before), { timeout: 10_000 }).toMatch(/\$ /)
  await carryOut(client, [running('seq 300 $((170*2))'), /\b340\b/])
  // What is typed behind the line goes on once that one has.
  client.type(`${forbidden}\rbehind`)
  await expect.poll(() => client.text, { timeout: 10_000 }).toContain('behind')
  await writeFile(go, '')
  await expect.poll(() => client.text, { timeout: 10_000 }).toContain('ran-now')
})

test('is refused as a command of an editor; what is written there is not looked at', async () => {
  const client = await openShell()
  client.type('vim -u NONE -N\r')
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(/1049h[^]*~/)
  client.type('i')
  client.type(`${forbidden}\r# done\r`)
  await expect.poll(() => client.text).toContain('# done')
  expect(client.text).not.toMatch(refusal)
  client.type(`\x1b:!${forbidden}\r`)
  await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(refusal)
  expect(client.text).not.toContain('ran-now')
})

test.each<[string, Doings]>([
  ['in the midst of a line', ['seq 3 > a; echo "<p>Hello" >> a\r', '/Hello\r', /Hello/, 'iOh, \x1b', /Oh,/]],
  [
    'behind the sign of a comment',
    ['seq 3 > a; echo "#Port 22" >> a\r', '/Port\r', /Port/, 'cwListen\x1b', /Listen/],
  ],
  ['in a comment that goes on', ['echo "# one" > a\r', 'otwo is printf\rdo it now!! yes\r', /yes/, '\x1b']],
])('what is written in vim %s is judged by nobody', async (_where, [made, ...doings]) => {
  const client = await openShell()
  const open = `vim -u NONE -i NONE -n -N -c "set fo+=ro comments=b:#" a\r`
  await carryOut(client, [made ?? '', prompt, open, /~\W+~/, ...doings, ':wq\r', /1049l[^]*\$ $/])
  await carryOut(client, ['wc -l a\r', /\d a[^]*\$ $/])
  expect(client.text).not.toMatch(refusal)
})

test('in panes and windows of tmux that are opened meanwhile one works on', async () => {
  const client = await openShell()
  const socket = randomUUID()
  await carryOut(client, [`tmux -L ${socket} -f /dev/null new\r`, /1049h[^]*\$ /, 'echo a-$((1+1))\r', /a-2/])
  await carryOut(client, [
    ctrl('B'),
    50,
    '%',
    /│[^]*42H[^│]*\$ \S*$/,
    'echo b-$((1+1))\r',
    /b-2/,
    'echo c-$((1+1))\r',
    /c-2/,
  ])
  await carryOut(client, [ctrl('B'), 50, 'o', 300, 'echo d-$((1+1))\r', /d-2/, 'echo e-$((1+1))\r', /e-2/])
  await carryOut(client, [`echo ${'f'.repeat(60)}-$((1+1))\r`, /f-2/, up, /1\)\)/, '\r', 500])
  await carryOut(client, ['echo g-$((1+1))\r', /g-2/])
  expect(client.text).not.toMatch(refusal)
})

/** Answers each line, which it edits as bash does. */
const asking = (prompt: string) =>
  `python3 -qc $'import readline\\nwhile 1: print("got-" + str(1+1), input("("+"${prompt}"))'\r`

test.each<[string, Doings]>([
  [
    'of an editor in another window',
    [
      'vim -u NONE\r',
      /~\W+~/,
      ctrl('B'),
      50,
      'c',
      800,
      ctrl('B'),
      50,
      'p',
      500,
      ':echo 6*7\r',
      /42/,
      ':q!\r',
      500,
      'echo ok-$((1+1))\r',
      /ok-2/,
    ],
  ],
  [
    'of an editor beside a command begun in another pane',
    [
      'echo half',
      /half/,
      ctrl('B'),
      50,
      '%',
      1000,
      'vim -u NONE\r',
      /~\W+~/,
      ':echo 6*7\r',
      /42/,
      ':q!\r',
      500,
      'echo ok-$((1+1))\r',
      /ok-2/,
    ],
  ],
  [
    'of the list of windows',
    [
      'echo abc\r',
      500,
      ctrl('B'),
      50,
      'c',
      800,
      'echo x\r',
      300,
      ctrl('B'),
      50,
      'w',
      800,
      up,
      300,
      '\r',
      500,
      'echo ok-$((1+1))\r',
      /ok-2/,
    ],
  ],
  [
    'of a debugger',
    [
      asking('gdb) '),
      /\(gdb\) /,
      'abd',
      left,
      'c\r',
      /got-2 abcd/,
      up,
      /abcd[^]*abcd/,
      '\r',
      /abcd[^]*got-2 abcd/,
    ],
  ],
  ['of a question', ['read -ep "Na""me: " a; echo "so-$a"\r', /Name: /, 'ann', left, left, 'x\r', /so-axnn/]],
  [
    'of a pager, soon after it began',
    ['seq 300 > f; less f\r', /22\s+f?/, '\x1b[B', 300, '\r', 500, 'q', 300, 'echo ok-$((1+1))\r', /ok-2/],
  ],
])('in tmux lines are edited at the prompt %s', async (_what, doings) => {
  const client = await openShell()
  await carryOut(client, [...inTmux(), ...doings])
  expect(client.text).not.toMatch(refusal)
})

test('in a window of tmux with another prompt no more than the first line is refused', async () => {
  const client = await openShell()
  await carryOut(client, [...inTmux(), ctrl('B'), 50, 'c', 500, 'echo a-$((1+1))\r', /a-2|could not/, 300])
  await carryOut(client, ['echo b-$((1+1))\r', /b-2/])
  expect(client.text.split('could not be read').length).toBeLessThan(3)
})
