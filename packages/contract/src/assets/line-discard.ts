/** How a line that is being typed is given up, by the platform of the machine it stands on. */
import type { Category } from './types.ts'

export interface LineDiscard {
  /** They take the line away, wherever the cursor is in it, and run nothing of it. */
  keys: string
  /** The machine then writes its prompt anew; elsewhere it does at Enter on the line that is empty now. */
  hasNewPrompt: boolean
}

const control = (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f)

/** Understood by every terminal of Unix, in whatever way the line is edited, and by cmd and PowerShell of Windows. */
const interrupt: LineDiscard = { keys: control('C'), hasNewPrompt: true }
/** To the end of the line, and away with all before it: IOS and its like leave the mode of configuration at an interrupt. */
const erase: LineDiscard = { keys: control('E') + control('U'), hasNewPrompt: false }
/** Comware and VRP, to whom Ctrl-U is a hotkey that people give commands to. */
const eraseThere: LineDiscard = { keys: control('E') + control('X'), hasNewPrompt: false }

/** `name`: of the platform, as the makers of devices are told apart by it. */
export function lineDiscardOf({ category, name }: { category: string; name: string }): LineDiscard {
  const device: Category = 'device'
  if (category !== device) return interrupt
  return /h3c|huawei/i.test(name) ? eraseThere : erase
}
