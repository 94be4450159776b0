import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Secrets } from './secrets.js'

const algorithm = 'aes-128-gcm'
/** Length of the nonce of AES-GCM, in bytes. */
const nonceLength = 12
/** Length of the authentication tag, in bytes. */
const tagLength = 16

/**
 * Encrypts a text for a cookie, so that only this service can read it.
 * @param purpose what the text is for. A text that was sealed for another purpose cannot be opened.
 * @param expiration unix seconds.
 * @returns URL-safe base64.
 */
export function sealText(text: string, purpose: string, expiration: number, secrets: Secrets): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, keyFor(purpose, secrets), nonce)
  const sealed = Buffer.concat([cipher.update(`${expiration} ${text}`, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** The sealed text; null when it was altered, sealed for another purpose, or has expired. @param now unix seconds. */
export function openSealedText(sealed: string, purpose: string, now: number, secrets: Secrets): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceLength + tagLength) return null
  const decipher = createDecipheriv(algorithm, keyFor(purpose, secrets), bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(bytes.subarray(-tagLength))
  try {
    const content = Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()])
    const [, expiration = '', text = ''] = /^(\d+) (.*)$/s.exec(content.toString('utf8')) ?? []
    return Number(expiration) > now ? text : null
  } catch {
    // The tag does not match.
    return null
  }
}

/** 128 bits that depend on a secret of the site. */
function keyFor(purpose: string, secrets: Secrets): Buffer {
  return Buffer.from(secrets.wpHash(`seal|${purpose}`, 'auth'), 'hex')
}
