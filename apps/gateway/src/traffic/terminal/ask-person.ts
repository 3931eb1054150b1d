import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import { NoAnswerError, type TargetQuestions } from '../../session/questions.ts'
import { type Line, LineEditor } from './line-editor.ts'

/** A target's own patience ends about then. */
const answerWithinMs = 120_000

export interface AskedTerminal {
  /** Nobody else reads it now; what was typed behind the last answer is left in it. */
  stdin: Readable
  write: (text: string) => void
  language: Language
  /** Aborts when nobody is asked any more. */
  signal: AbortSignal
}

/** Asks on the terminal of the person, before anything else flows there. What is typed is shown only where the target says it may be. */
export async function askOnTerminal(terminal: AskedTerminal, asked: TargetQuestions): Promise<string[]> {
  const { write, language } = terminal
  const show = (text: string) => write(text.replaceAll('\n', '\r\n'))
  show(`\n${gatewayMessage(language, 'target_asks', { where: asked.where })}\n`)
  for (const text of [asked.name, asked.instruction]) if (text.trim() !== '') show(`${text.trimEnd()}\n`)
  const reader = new LineReader(terminal)
  try {
    const answers: string[] = []
    for (const { prompt, echo } of asked.questions) {
      show(prompt)
      answers.push(await reader.line(!echo))
    }
    return answers
  } finally {
    reader.close()
  }
}

class LineReader {
  readonly #terminal: AskedTerminal
  readonly #editor: LineEditor
  readonly #decoder = new TextDecoder()
  readonly #timer: NodeJS.Timeout
  #reading: PromiseWithResolvers<string> | undefined
  #isOver = false

  constructor(terminal: AskedTerminal) {
    this.#terminal = terminal
    this.#editor = new LineEditor(terminal.write)
    this.#timer = setTimeout(this.#giveUp, answerWithinMs)
    const { stdin, signal } = terminal
    signal.addEventListener('abort', this.#giveUp, { once: true })
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) this.#isOver = true
    stdin.on('data', this.#onData)
    stdin.on('end', this.#giveUp)
    stdin.on('close', this.#giveUp)
  }

  async line(isHidden: boolean): Promise<string> {
    if (this.#isOver) throw new NoAnswerError('given_up')
    const reading = Promise.withResolvers<string>()
    this.#reading = reading
    this.#editor.begin(isHidden)
    void this.#readOn(reading)
    return await reading.promise
  }

  close(): void {
    const { stdin, signal } = this.#terminal
    clearTimeout(this.#timer)
    signal.removeEventListener('abort', this.#giveUp)
    stdin.off('data', this.#onData)
    stdin.off('end', this.#giveUp)
    stdin.off('close', this.#giveUp)
    stdin.pause()
    if (!this.#editor.isEmpty && !stdin.readableEnded) stdin.unshift(Buffer.from(this.#editor.rest()))
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#editor.add(this.#decoder.decode(chunk, { stream: true }))
    this.#terminal.stdin.pause()
    if (this.#reading) void this.#readOn(this.#reading)
  }

  readonly #giveUp = (): void => {
    this.#isOver = true
    this.#reading?.reject(new NoAnswerError('given_up'))
  }

  /** Reads what was typed, some keys in each turn of the event loop; then the person may type on. */
  async #readOn(reading: PromiseWithResolvers<string>): Promise<void> {
    while (this.#reading === reading && !this.#isOver) {
      const line = this.#editor.readSome()
      if (line) return this.#answer(reading, line)
      if (this.#editor.isEmpty) return void this.#terminal.stdin.resume()
      await nextTurn()
    }
  }

  #answer(reading: PromiseWithResolvers<string>, line: Line): void {
    this.#reading = undefined
    this.#terminal.stdin.pause()
    if (line.kind === 'text') reading.resolve(line.text)
    else reading.reject(new NoAnswerError('given_up'))
  }
}
