import DOMPurify from 'dompurify'

const allowed = {
  ALLOWED_TAGS: [
    'a',
    'b',
    'blockquote',
    'br',
    'code',
    'div',
    'em',
    'h3',
    'h4',
    'i',
    'li',
    'ol',
    'p',
    'pre',
    'span',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'u',
    'ul',
  ],
  ALLOWED_ATTR: ['href', 'title', 'colspan', 'rowspan'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/(?!\/))/i,
}

/** What may be shown of HTML that anybody wrote: text with some structure, and links, which open beside the console. */
export function cleanHtml(html: string): string {
  const part = DOMPurify.sanitize(html, { ...allowed, RETURN_DOM_FRAGMENT: true })
  for (const link of part.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
  const holder = document.createElement('div')
  holder.append(part)
  return holder.innerHTML
}
