import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipWithoutPhp } from '../../test/support/wordpress/wordpress-programs.js'
import { Random } from '../support/random.js'
import { findingsIn } from './compare.js'
import { differenceFromPhp, readingOf } from './judge.js'
import { askPhp } from './php-peer.js'

test('PHP reads 2,000 changed values as they are read here', { skip: skipWithoutPhp() }, async () => {
  const { findings, read } = await findingsIn(
    { first: 0, count: 2000, maxFindings: 3 },
    (stream) => new Random(20_261_125, stream),
  )
  assert.deepEqual(findings, [])
  assert.ok(read > 200, `${read} were readable`)
})

test('a difference from PHP is found', { skip: skipWithoutPhp() }, async () => {
  const text = 'a:1:{i:0;i:1;}'
  const [php = null, other = null] = await askPhp([text, 'a:1:{i:0;i:2;}'])
  assert.equal(differenceFromPhp(readingOf(text), php, php), null)
  assert.match(differenceFromPhp(readingOf(text), php, other) ?? '', /but after a change/)
  assert.match(differenceFromPhp({ text, written: null, fault: null }, php, null) ?? '', /read by PHP, but not here/)
  assert.match(differenceFromPhp(readingOf(text), null, null) ?? '', /read here, but not by PHP/)
})
