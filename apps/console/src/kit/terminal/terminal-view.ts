/**
 * An xterm.js terminal with the house's behaviour: sizes, themes and settings, copying and pasting, keys. It knows no connection: bytes
 * come in by `write`, what the person does comes out by the handlers.
 */
import '@xterm/xterm/css/xterm.css'
import './terminal.css'
import { FitAddon } from '@xterm/addon-fit'
import { terminalColsMax, terminalRowsMax } from '@sallyport/contract/terminal-socket'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { Terminal } from '@xterm/xterm'
import {
  canReadClipboard,
  cleanPaste,
  copyText,
  maxPasteLength,
  readClipboard,
  runsWhenPasted,
} from './clipboard.ts'
import { getPreferences, onPreferences, setPreferences } from './preferences.ts'
import { monoFontFamily } from '../theme/tokens.ts'
import { findTheme } from './themes.ts'

export interface TerminalSize {
  cols: number
  rows: number
}

export interface TerminalHandlers {
  /** Keystrokes, pasted text and answers of the terminal, as text. */
  onData: (text: string) => void
  /** Mouse reports of the old kind, which are not UTF-8. */
  onBinary: (bytes: Uint8Array<ArrayBuffer>) => void
  /** The terminal's new size, at most some ten times a second. */
  onResize: (size: TerminalSize) => void
  /** Asked before text of several lines is pasted where a shell would run it at once. */
  confirmPaste: (text: string) => Promise<boolean>
  /** Text too long to paste was refused. */
  onPasteTooLong?: () => void
}

const resizeDelayMs = 80

/** Modifier keys of the touch key bar, which apply to the next key. */
export interface StickyModifiers {
  ctrl: boolean
  alt: boolean
}

export class TerminalView {
  readonly term: Terminal
  private readonly fitAddon = new FitAddon()
  private readonly cleanups: (() => void)[] = []
  private resizeTimer: ReturnType<typeof setTimeout> | undefined
  private sticky: StickyModifiers = { ctrl: false, alt: false }
  private stickyListener: (sticky: StickyModifiers) => void = () => {}
  private readonly handlers: TerminalHandlers | undefined
  private element: HTMLElement | undefined
  private fixedSize: TerminalSize | undefined
  private isRestoring = false

  /** Without handlers the terminal is read-only: it takes no keys, and answers no query of the output it shows. */
  constructor(handlers?: TerminalHandlers, options: { scrollback?: number } = {}) {
    this.handlers = handlers
    this.term = new Terminal({
      allowProposedApi: true,
      cursorBlink: handlers !== undefined,
      disableStdin: handlers === undefined,
      fontFamily: monoFontFamily,
      // Some system fonts draw the underscore below their own line, where it would be cut off.
      lineHeight: 1.1,
      macOptionClickForcesSelection: true,
      rightClickSelectsWord: false,
      scrollback: options.scrollback ?? 5000,
    })
    this.term.loadAddon(this.fitAddon)
    this.term.loadAddon(new Unicode11Addon())
    this.term.unicode.activeVersion = '11'
    this.cleanups.push(onPreferences(() => this.applyPreferences()))
    this.term.attachCustomKeyEventHandler((event) => this.onKey(event))
    if (!handlers) return
    this.term.onData((text) => handlers.onData(this.applySticky(text)))
    this.term.onBinary((text) => handlers.onBinary(Uint8Array.from(text, (char) => char.charCodeAt(0))))
  }

  /** Shows the terminal in an element and follows its size. Once. */
  open(element: HTMLElement) {
    this.element = element
    this.term.open(element)
    this.applyPreferences()
    if (this.fixedSize) this.scaleToElement()
    else this.fit()
    const observer = new ResizeObserver(() => {
      clearTimeout(this.resizeTimer)
      this.resizeTimer = setTimeout(
        () => (this.fixedSize ? this.scaleToElement() : this.fit()),
        resizeDelayMs,
      )
    })
    observer.observe(element)
    this.cleanups.push(() => observer.disconnect())
    if (this.handlers) {
      this.listen(element, 'paste', (event) => this.onPaste(event), true)
      this.listen(element, 'contextmenu', (event) => this.onContextMenu(event))
    }
    this.listen(element, 'mousedown', () => {
      document.addEventListener('mouseup', () => this.copySelection(), { once: true })
    })
  }

  dispose() {
    clearTimeout(this.resizeTimer)
    for (const cleanup of this.cleanups) cleanup()
    this.term.dispose()
  }

  get size(): TerminalSize {
    return { cols: this.term.cols, rows: this.term.rows }
  }

  /** Writes output; `done` is called when the terminal has taken it in, so a caller can keep the amount under way small. */
  write(data: Uint8Array | string, done?: () => void) {
    if (!this.isRestoring) {
      this.term.write(data, done)
      return
    }
    this.isRestoring = false
    this.term.write(data, () => {
      this.fit()
      done?.()
    })
  }

  /** Takes the size from the element shown in. Does nothing while the element is hidden. */
  fit() {
    if (!this.element || this.element.clientWidth === 0 || this.element.clientHeight === 0) return
    const proposed = this.fitAddon.proposeDimensions()
    if (!proposed || Number.isNaN(proposed.cols) || Number.isNaN(proposed.rows)) return
    const { cols, rows } = bounded(proposed)
    if (cols === this.term.cols && rows === this.term.rows) return
    this.term.resize(cols, rows)
    this.handlers?.onResize({ cols, rows })
  }

  /** Takes the size of somebody else's terminal, behind the output written before; the font is made to fit the element. */
  setFixedSize(size: TerminalSize) {
    const fixed = bounded(size)
    this.fixedSize = fixed
    this.inOrder(() => {
      if (fixed.cols !== this.term.cols || fixed.rows !== this.term.rows)
        this.term.resize(fixed.cols, fixed.rows)
      this.scaleToElement()
    })
  }

  /**
   * Forgets everything shown, because the screen follows anew. With a size, what comes next was painted for that size; the terminal
   * returns to its element's size once that is shown.
   */
  restart(size?: TerminalSize) {
    this.inOrder(() => this.term.reset())
    if (!size) return
    const painted = bounded(size)
    this.inOrder(() => this.term.resize(painted.cols, painted.rows))
    this.isRestoring = true
  }

  focus() {
    this.term.focus()
  }

  /** Whether what is typed has somewhere to go; without, what is shown can still be read and copied. */
  setLive(isLive: boolean) {
    this.term.options.disableStdin = !isLive
    this.term.options.cursorBlink = isLive
  }

  /** Pastes text as a person's paste: cleaned, and asked about first when it holds several lines and would run at once. */
  async paste(raw: string) {
    const handlers = this.handlers
    if (!handlers || raw === '' || this.term.options.disableStdin) return
    if (raw.length > maxPasteLength) {
      handlers.onPasteTooLong?.()
      return
    }
    const text = cleanPaste(raw)
    const runsAtOnce = !this.term.modes.bracketedPasteMode && runsWhenPasted(text)
    if (runsAtOnce && !(await handlers.confirmPaste(text))) {
      this.focus()
      return
    }
    this.term.paste(text)
    this.focus()
  }

  /** Sends a key of the touch key bar. Cursor keys follow the mode the program asked for. */
  pressKey(key: TerminalKey) {
    this.term.input(keySequence(key, this.term.modes.applicationCursorKeysMode))
    this.focus()
  }

  /** Holds Ctrl or Alt for the next key, for keyboards without them. */
  setSticky(sticky: StickyModifiers) {
    this.sticky = sticky
    this.stickyListener(sticky)
    this.focus()
  }

  onSticky(listener: (sticky: StickyModifiers) => void) {
    this.stickyListener = listener
  }

  private listen<K extends keyof HTMLElementEventMap>(
    target: HTMLElement,
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
    capture = false,
  ) {
    target.addEventListener(type, listener, capture)
    this.cleanups.push(() => target.removeEventListener(type, listener, capture))
  }

  /** xterm takes output later but a reset or a new size at once; this puts them in their place among the output. */
  private inOrder(action: () => void) {
    this.term.write('', action)
  }

  private applyPreferences() {
    const preferences = getPreferences()
    const theme = findTheme(preferences.themeName)
    this.term.options.theme = theme.colors
    if (this.element) this.element.style.background = theme.colors.background ?? ''
    this.term.options.minimumContrastRatio = theme.minimumContrastRatio
    this.term.options.screenReaderMode = preferences.screenReader
    if (this.fixedSize) return
    this.term.options.fontSize = preferences.fontSize
    this.fit()
  }

  private scaleToElement() {
    const screen = this.element?.querySelector<HTMLElement>('.xterm-screen')
    if (!this.element || !screen || screen.offsetWidth === 0 || this.element.clientWidth === 0) return
    const style = getComputedStyle(this.element)
    const width = this.element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    const height = this.element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)
    const fontSize = this.term.options.fontSize ?? 14
    const ratio = Math.min(width / screen.offsetWidth, height / screen.offsetHeight)
    const fitted = Math.min(28, Math.max(4, Math.floor(fontSize * ratio * 4) / 4))
    if (Math.abs(fitted - fontSize) >= 0.25) this.term.options.fontSize = fitted
  }

  private applySticky(text: string) {
    const { ctrl, alt } = this.sticky
    if (!ctrl && !alt) return text
    this.setSticky({ ctrl: false, alt: false })
    const code = text.length === 1 ? text.toUpperCase().charCodeAt(0) : 0
    const key =
      ctrl && code >= 0x3f && code <= 0x5f ? String.fromCharCode(code === 0x3f ? 0x7f : code & 0x1f) : text
    return alt ? `\u001b${key}` : key
  }

  /** False keeps a key from the terminal. */
  private onKey(event: KeyboardEvent): boolean {
    // Where nothing can be typed, this key leads on through the page as anywhere.
    if (this.term.options.disableStdin && event.key === 'Tab') return false
    if (!this.handlers) return true
    if (event.type !== 'keydown' || event.isComposing) return true
    const onlyCtrl = event.ctrlKey && !event.altKey && !event.metaKey
    if (onlyCtrl && event.code === 'KeyC' && (event.shiftKey || this.term.hasSelection())) {
      event.preventDefault()
      this.copySelection(true)
      return false
    }
    if (onlyCtrl && event.code === 'KeyV' && event.shiftKey) return false // the browser's own paste follows
    if (event.shiftKey && event.key === 'Insert') return false
    if (
      onlyCtrl &&
      !event.shiftKey &&
      (event.key === '=' || event.key === '+' || event.key === '-' || event.key === '0')
    ) {
      event.preventDefault()
      const { fontSize } = getPreferences()
      const next = event.key === '0' ? 14 : fontSize + (event.key === '-' ? -1 : 1)
      setPreferences({ fontSize: next })
      return false
    }
    if (event.key === 'Backspace' && !event.ctrlKey && !event.altKey && getPreferences().backspaceAsCtrlH) {
      event.preventDefault()
      this.term.input('\b')
      return false
    }
    return true
  }

  private copySelection(always = false) {
    if (!always && !getPreferences().copyOnSelect) return
    const text = this.term.getSelection()
    if (text === '') return
    // A second Ctrl-C is meant for the program again.
    void copyText(text).then((copied) => copied && always && this.term.clearSelection())
  }

  private onPaste(event: ClipboardEvent) {
    event.preventDefault()
    event.stopPropagation()
    void this.paste(event.clipboardData?.getData('text/plain') ?? '')
  }

  private onContextMenu(event: Event) {
    if (!getPreferences().quickPaste || !canReadClipboard()) return
    event.preventDefault()
    void readClipboard().then((text) => this.paste(text ?? ''))
  }
}

const bounded = ({ cols, rows }: TerminalSize): TerminalSize => ({
  cols: Math.min(terminalColsMax, Math.max(1, cols)),
  rows: Math.min(terminalRowsMax, Math.max(1, rows)),
})

const cursorKeys = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' }
const plainKeys = { escape: '\u001b', tab: '\t', pageup: '\u001b[5~', pagedown: '\u001b[6~' }

type CursorKey = keyof typeof cursorKeys
export type TerminalKey = CursorKey | keyof typeof plainKeys

const isCursorKey = (key: TerminalKey): key is CursorKey => key in cursorKeys

function keySequence(key: TerminalKey, applicationCursorKeys: boolean) {
  if (!isCursorKey(key)) return plainKeys[key]
  return `\u001b${applicationCursorKeys ? 'O' : '['}${cursorKeys[key]}`
}
