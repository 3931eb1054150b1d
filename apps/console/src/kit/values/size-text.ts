const kibibyte = 1024

/** A number of bytes for a person: `16 KB`, `1 MB`. */
export function sizeText(bytes: number): string {
  return bytes < kibibyte * kibibyte
    ? `${Math.round(bytes / kibibyte)} KB`
    : `${Math.round((bytes / kibibyte / kibibyte) * 10) / 10} MB`
}
