import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** That many letters and digits, each drawn evenly from 62 by the system's source of randomness: 5.9 bits apiece. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += letters.charAt(randomInt(letters.length))
  return text
}

/** A generated password of 119 bits. */
export function randomPassword(): string {
  return randomText(20)
}
