/** The digits of a captcha, as a person hears them: tones counted between the pauses. */
export function heardIn(wav: Buffer): string {
  const samples = wav.subarray(44)
  const rate = wav.readUInt32LE(24)
  let digits = ''
  let tones = 0
  let quiet = rate
  for (const sample of samples) {
    if (sample === 128) quiet += 1
    else {
      // A wave is at rest for a sample or two; between tones there are a hundred times as many.
      if (quiet > rate / 10) tones += 1
      quiet = 0
    }
    if (quiet === Math.floor(rate / 2) && tones > 0) {
      digits += String(tones)
      tones = 0
    }
  }
  return digits
}
