// eslint-disable-next-line no-control-regex -- the expression matches control characters on purpose
const controlCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f]/g

/** The text without control characters other than tab, line feed and carriage return. */
export function withoutControls(text: string): string {
  return text.replace(controlCharacters, '')
}
