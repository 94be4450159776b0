import { escHtml } from './escape-html.js'

/**
 * `wp_pre_kses_less_than`: escapes each `<` that has no `>` before the next `<` or the end, and the text between them.
 * A line feed at the end of the text stays.
 * In the result every `<` has its own `>`, so later steps need no rule for unfinished tags.
 */
export function escapeLessThan(text: string): string {
  return text.replace(/<[^<>]*?(?:>|(?=<|\n?$))/g, (span) => (span.endsWith('>') ? span : escHtml(span)))
}
