/** PHP's `strtolower` since version 8: converts A to Z only. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
