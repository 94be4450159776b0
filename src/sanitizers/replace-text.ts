/**
 * The same as `text.replaceAll(plain, () => replacement)`, in half the time for short texts.
 * @param plain must not be empty.
 */
export function replaceText(text: string, plain: string, replacement: string): string {
  let start = text.indexOf(plain)
  if (start === -1) return text
  let result = ''
  let end = 0
  while (start !== -1) {
    result += text.slice(end, start) + replacement
    end = start + plain.length
    start = text.indexOf(plain, end)
  }
  return result + text.slice(end)
}
