import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Random letters and digits from a cryptographic generator. Each of the 62 characters is equally likely: 5.9 bits each.
 */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += letters.charAt(randomInt(letters.length))
  return text
}

/** A generated password of 20 characters: 119 bits. */
export function randomPassword(): string {
  return randomText(20)
}
