// eslint-disable-next-line no-control-regex -- these characters are what the expression is for
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/g

/** The text without control characters; tab, line feed and carriage return stay (docs/wire.md#the-html-filter). */
export function withoutControls(text: string): string {
  return text.replace(controls, '')
}
