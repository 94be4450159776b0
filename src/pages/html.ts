import { escHtml } from '../sanitizers/escape-html.js'

/** HTML that is finished: it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** Nothing, where HTML is asked for. */
export const nothing = new Html('')

/**
 * HTML with every value escaped, except values that are {@link Html} themselves; lists are joined, null and false are
 * nothing. Fit for text and for attributes in quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) text += written(value) + (strings[index + 1] ?? '')
  return new Html(text)
}

/**
 * A text from the database that may hold character references, as WordPress stores titles and names: `Tom &amp; Jerry`
 * is shown as `Tom & Jerry`. Tags are escaped.
 */
export function stored(text: string): Html {
  return new Html(escHtml(text))
}

function written(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(written).join('')
  return value === null || value === undefined || value === false ? '' : escaped(String(value))
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Every reference too, so that a form sends back exactly what it was given. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character] ?? '')
}
