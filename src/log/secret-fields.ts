/** Names of fields whose values must never reach the log, in lower case. */
const secretNames: ReadonlySet<string> = new Set([
  '_wpnonce',
  'nonce',
  'x-wp-nonce',
  'pwd',
  'pass',
  'user_pass',
  // The text of all headers of a request of Node.
  '_header',
])

/** Headers with credentials, in lower case. */
const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-wp-nonce',
])

/** The end of a name in lower case and without separators: `access_token`, `clientSecret`, `new-password`, `x-api-key`. */
const secretEnd = /(?:token|secret|password|passphrase|apikey|privatekey|secretkey|accesskey)$/

/** Replaces the value of a secret field. */
export const censored = '(secret)'

/** Whether the values of fields of this name are secret. Upper and lower case do not matter, as in names of headers. */
export function isSecretField(name: string): boolean {
  const lowerCase = name.toLowerCase()
  return (
    secretHeaders.has(lowerCase) || secretNames.has(lowerCase) || secretEnd.test(lowerCase.replaceAll(/[^a-z0-9]/g, ''))
  )
}

/** Whether the item after this one in a list is secret: lists of headers have their names and values in turn. */
export const isSecretHeader = (item: unknown): boolean =>
  typeof item === 'string' && item.length < 32 && secretHeaders.has(item.toLowerCase())
