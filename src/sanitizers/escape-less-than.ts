import { escHtml } from './escape-html.js'

/**
 * The text with each `<` that another `<` or the end follows before any `>` escaped, together with what is between.
 * In the result every `<` has its own `>`, so nothing that follows has to care about unfinished tags.
 * Rules: docs/wire.md#plain-text.
 */
export function escapeLessThan(text: string): string {
  return text.replace(/<[^<>]*(?:>|(?=<)|$)/g, (span) => (span.endsWith('>') ? span : escHtml(span)))
}
