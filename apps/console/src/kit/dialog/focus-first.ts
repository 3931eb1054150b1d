const controls = ['input', 'textarea', 'button', 'summary']
  .map((name) => `${name}:not(:disabled, [tabindex='-1'])`)
  .join()

/** Puts the keyboard's focus on what is wrong in a part of the page, or else on its first control. Answers whether there is one. */
export function focusFirst(part: Element): boolean {
  const control =
    part.querySelector<HTMLElement>('[aria-invalid=true]') ?? part.querySelector<HTMLElement>(controls)
  control?.focus({ preventScroll: true })
  return control !== null
}
