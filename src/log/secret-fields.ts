/** What must never be written down, wherever it turns up in a line's fields. */
export const secretFields = [
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'Cookie',
  'set-cookie',
  'x-wp-nonce',
  'X-WP-Nonce',
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

/** Written in its place. */
export const censored = '(secret)'
