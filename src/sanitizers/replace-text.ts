/**
 * The same as `text.replaceAll(plain, () => replacement)`, in half the time for short texts.
 * @param plain must not be empty.
 */
export function replaceText(text: string, plain: string, replacement: string): string {
  let found = text.indexOf(plain)
  if (found === -1) return text
  let result = ''
  let end = 0
  while (found !== -1) {
    result += text.slice(end, found) + replacement
    end = found + plain.length
    found = text.indexOf(plain, end)
  }
  return result + text.slice(end)
}
