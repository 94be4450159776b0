import { escHtml } from '../sanitizers/escape-html.js'

/** A piece of HTML. {@link html} does not escape it. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** Empty HTML. */
export const nothing = new Html('')

/**
 * A template tag that escapes every value, except values that are {@link Html}. The items of a list are joined. Null,
 * undefined and false give an empty text. Values may stand in text and in quoted attributes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) text += valueText(value) + (strings[index + 1] ?? '')
  return new Html(text)
}

/**
 * A text from the database as HTML. WordPress stores character references in titles and names, so they are not escaped
 * again: `Tom &amp; Jerry` is shown as `Tom & Jerry`. Tags are escaped.
 */
export function storedText(text: string): Html {
  return new Html(escHtml(text))
}

function valueText(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(valueText).join('')
  return value === null || value === undefined || value === false ? '' : escaped(String(value))
}

const characterReferences: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Character references are escaped too, so that a form sends back exactly the text that it shows. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => characterReferences[character] ?? '')
}
