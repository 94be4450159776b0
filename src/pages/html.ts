import { escHtml } from '../sanitizers/escape-html.js'

/** HTML that is finished: it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** HTML with every value escaped, except values that are {@link Html} themselves; lists are joined, null is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) text += written(value) + (strings[index + 1] ?? '')
  return new Html(text)
}

function written(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(written).join('')
  return value === null || value === undefined || value === false ? '' : escHtml(String(value))
}
