import { maxParsedLength } from './bounded-line.js'

/** Names of fields whose values must never reach the log, in lower case. */
const secretFields = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-wp-nonce',
  '_wpnonce',
  'nonce',
  'password',
  'pwd',
  'pass',
  'user_pass',
  'application_password',
  'token',
  'secret',
]

const secretNames: ReadonlySet<string> = new Set(secretFields)
const anySecretField = new RegExp(`"(?:${secretFields.join('|')})":`, 'i')

/** Replaces the value of a secret field. */
export const censored = '(secret)'

/** Whether the values of fields of this name are secret. Upper and lower case do not matter, as in names of headers. */
export const isSecretField = (name: string): boolean => secretNames.has(name.toLowerCase())

/**
 * A line of JSON without the values of secret fields, at any depth: an error of an HTTP client has the headers it has sent four
 * levels below the line.
 * @param line with its line break. A line that is too long to be parsed is unchanged: `boundedLine` drops its fields.
 */
export function withoutSecrets(line: string): string {
  if (line.length > maxParsedLength || !anySecretField.test(line)) return line
  const fields: unknown = JSON.parse(line, (name, value: unknown) => (isSecretField(name) ? censored : value))
  return `${JSON.stringify(fields)}\n`
}
