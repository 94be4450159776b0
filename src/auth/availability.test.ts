import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyUnavailable } from './availability.js'

const table: [environment: string, secure: boolean, local: boolean, available: boolean][] = [
  ['production', true, false, true],
  ['production', false, true, true],
  ['production', false, false, false],
  ['staging', false, false, false],
  ['development', false, false, false],
  ['local', false, false, true],
  ['Local', false, false, false],
]
for (const [environment, secure, local, available] of table)
  test(`application passwords ${available ? 'are' : 'are not'} available in ${environment}, ${secure ? 'over TLS' : 'over plain HTTP'}${local ? ', from this machine' : ''}`, () => {
    const reason = whyUnavailable(environment, { secure, local })
    assert.equal(reason === null, available)
    if (reason !== null) assert.match(reason, /plain HTTP.*HTTPS.*trusted_proxies.*local/)
  })
