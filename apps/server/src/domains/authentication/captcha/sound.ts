/** A captcha for the ear: as many tones as each digit says, with a pause between the digits. Good in every language. */
import { randomInt } from 'node:crypto'

/** Samples a second, of eight bits each. */
const rate = 8000
const seconds = { tone: 0.16, gap: 0.16, pause: 0.9 }
const fadeSeconds = 0.02
const headBytes = 44

/** WAV, a quarter of a minute at most. @param digits of 1 to 6 */
export function playDigits(digits: string): Buffer {
  const pieces = digits.split('').flatMap((digit) => {
    const pitch = randomInt(350, 900)
    return [
      ...Array.from({ length: Number(digit) }, () => [tone(pitch), silence(seconds.gap)]).flat(),
      silence(seconds.pause),
    ]
  })
  return wav(Buffer.concat(pieces))
}

/** In unsigned samples 128 is no sound. */
const silence = (length: number) => Buffer.alloc(length * rate, 128)

function tone(pitch: number): Buffer {
  const samples = Buffer.alloc(seconds.tone * rate)
  for (const at of samples.keys()) {
    // Without it, each tone begins and ends with a click.
    const fade = Math.min(1, at / (fadeSeconds * rate), (samples.length - at) / (fadeSeconds * rate))
    samples[at] = 128 + Math.round(80 * fade * Math.sin((2 * Math.PI * pitch * at) / rate))
  }
  return samples
}

function wav(samples: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(headBytes - 8 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  // Plain samples, one channel, one byte each.
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
