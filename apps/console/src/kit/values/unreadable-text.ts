/** Text typed into the field of a date or a number that is none (yet). */
export class UnreadableText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
