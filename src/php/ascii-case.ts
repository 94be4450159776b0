/** PHP's `strtolower` since version 8: A to Z only, all other characters untouched. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
