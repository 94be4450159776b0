import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Storage } from '../../../src/database/storage.js'

export function optionContract(storage: () => Storage): void {
  it('options are read, written and removed', async () => {
    const { options } = storage()
    assert.equal(await options.read('blogname'), null)
    await options.write('blogname', 'Shop')
    await options.write('blogname', 'Shop 2')
    await options.write('empty', '')
    assert.equal(await options.read('blogname'), 'Shop 2')
    assert.equal(await options.read('empty'), '')
    assert.deepEqual(
      await options.readMany(['blogname', 'nothing', 'empty']),
      new Map([
        ['blogname', 'Shop 2'],
        ['empty', ''],
      ]),
    )
    assert.deepEqual(await options.readMany([]), new Map())
    assert.equal(await options.remove('blogname'), true)
    assert.equal(await options.remove('blogname'), false)
    assert.equal(await options.read('blogname'), null)
  })

  it('concurrent creators of one option agree on one value', async () => {
    const { options } = storage()
    const secrets = await Promise.all(
      Array.from({ length: 20 }, (_, index) => options.writeOnce('NONCE_KEY', `secret ${index}`)),
    )
    assert.equal(new Set(secrets).size, 1)
    assert.equal(await options.read('NONCE_KEY'), secrets[0])
  })
}
