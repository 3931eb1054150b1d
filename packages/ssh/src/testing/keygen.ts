import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'

/** OpenSSH's ssh-keygen with a folder of its own, which `dispose` removes. */
export class Keygen {
  readonly folder = mkdtempSync(join(tmpdir(), 'keygen-'))

  path(name: string): string {
    return join(this.folder, name)
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8')
  }

  write(name: string, content: string | Buffer): string {
    writeFileSync(this.path(name), content, { mode: 0o600 })
    return this.path(name)
  }

  /** What the program prints. @throws when it fails */
  run(...args: string[]): string {
    return execFileSync('ssh-keygen', args, {
      cwd: this.folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  /** A new key as files `name` and `name.pub`; the arguments are those of ssh-keygen, `-t ed25519` first. */
  generate(name: string, ...args: string[]): { privateText: string; publicLine: string; blob: Buffer } {
    const passphrase = args.includes('-N') ? [] : ['-N', '']
    this.run('-q', '-C', `comment of ${name}`, '-f', name, ...passphrase, ...args)
    const publicLine = this.read(`${name}.pub`).trim()
    return {
      privateText: this.read(name),
      publicLine,
      blob: Buffer.from(publicLine.split(' ')[1] ?? '', 'base64'),
    }
  }

  /** Signs as a person does with `ssh-keygen -Y sign` (OpenSSH's PROTOCOL.sshsig). @returns what was signed, and the signature on the wire */
  sign(name: string, text: string): { data: Buffer; signature: Buffer } {
    const file = this.write('signed', text)
    rmSync(`${file}.sig`, { force: true })
    this.run('-q', '-Y', 'sign', '-n', 'test', '-f', name, file)
    const body = this.read('signed.sig').replaceAll(/-----[^-]+-----|\s/g, '')
    const reader = new Reader(Buffer.from(body, 'base64'))
    reader.bytes(6 + 4)
    for (let skipped = 0; skipped < 4; skipped++) reader.string(4096)
    return { data: signedData(text), signature: reader.string(4096) }
  }

  /** Whether ssh-keygen takes the signature. */
  verifies(blob: Buffer, text: string, signature: Buffer): boolean {
    const body = new Writer()
      .bytes(Buffer.from('SSHSIG'))
      .uint32(1)
      .string(blob)
      .string('test')
      .string('')
      .string('sha512')
      .string(signature)
      .finish()
    const lines = body.toString('base64').replaceAll(/.{70}/g, '$&\n')
    const file = this.write(
      'ours.sig',
      `-----BEGIN SSH SIGNATURE-----\n${lines}\n-----END SSH SIGNATURE-----\n`,
    )
    try {
      execFileSync('ssh-keygen', ['-Y', 'check-novalidate', '-n', 'test', '-s', file], {
        input: text,
        stdio: 'pipe',
      })
      return true
    } catch {
      return false
    }
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true })
  }
}

/** What is signed for a text, in the namespace `test`. */
export const signedData = (text: string): Buffer =>
  new Writer()
    .bytes(Buffer.from('SSHSIG'))
    .string('test')
    .string('')
    .string('sha512')
    .string(createHash('sha512').update(text).digest())
    .finish()
