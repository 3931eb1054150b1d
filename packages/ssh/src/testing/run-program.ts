import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import type { Ran } from './openssh.ts'

/** Runs a program with this input to its end. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { input = '', env = {} }: { input?: Buffer | string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const child = spawn(program, args, { env: { ...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm', ...env } })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  const [bytes, errors, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended])
  return { code, bytes, stdout: bytes.toString(), stderr: errors.toString() }
}

/** As one word of a shell. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
