import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../places.js'
import { makeApplication } from './application.js'
import { built } from './built.js'

test('the rows without cache run the code of the example, less the lines that declare it', () => {
  const folder = `${mkdtempSync(join(tmpdir(), 'as-rest-route-bench-'))}/`
  try {
    makeApplication(folder)
    for (const name of ['partials-api', 'products-api', 'product-catalog', 'shapes-api']) {
      const whole = built(readFileSync(`${root}examples/shop/app/${name}.ts`, 'utf8'))
      const without = whole.replaceAll(/,?\s*\bcache: \d+\b/g, '')
      assert.equal(spaceless(readFileSync(`${folder}app/${name}.js`, 'utf8')), spaceless(without), name)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, '')
}
