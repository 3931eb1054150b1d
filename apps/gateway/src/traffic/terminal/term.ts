/**
 * Kinds of terminal (terminfo) whose editors of lines move about as they do on an xterm: rows that are full end there and go on below
 * (`am`, `xenl`), and characters are inserted by a sequence of its own (`ich`), where they can be at all. A line that is edited on another
 * kind stands on our screen otherwise than in the program. On `dumb` nothing can move up, which is seen.
 */
const known = new Set(
  [
    'dumb linux vt100 vt220',
    'xterm xterm-16color xterm-88color xterm-256color xterm-direct xterm-kitty xterm-ghostty',
    'screen screen-16color screen-256color screen.xterm-256color tmux tmux-256color tmux-direct',
    'rxvt rxvt-256color rxvt-unicode rxvt-unicode-256color st st-256color stterm stterm-256color',
    'vte vte-256color gnome gnome-256color konsole konsole-256color alacritty foot kitty wezterm',
  ].flatMap((names) => names.split(' ')),
)

/** What a target is told where lines are judged: the kind the person has, or the one it is read as. */
export const readableTerm = (term: string): string => (known.has(term) ? term : 'xterm')
