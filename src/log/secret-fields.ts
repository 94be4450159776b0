/** Names of fields whose values must never reach the log. */
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

/** Replaces the value of a secret field. */
export const censored = '(secret)'
