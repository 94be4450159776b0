import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MetaRows, Storage } from '../../../src/database/storage.js'

export function metaContract(storage: () => Storage): void {
  const kinds: readonly (readonly [string, () => MetaRows])[] = [
    ['posts', () => storage().posts.meta],
    ['users', () => storage().users.meta],
  ]
  let object = 0
  for (const [name, meta] of kinds) {
    it(`every value of the exact key is read, the oldest first (${name})`, async () => {
      const id = (object += 1)
      await meta().add(id, 'size', 'small')
      await meta().add(id, 'color', 'red')
      await meta().add(id, 'SIZE', null)
      await meta().add(id + 1_000_000, 'size', 'of another object')
      assert.deepEqual(await meta().read(id, 'size'), ['small'])
      assert.deepEqual(await meta().read(id, 'SIZE'), [null])
      assert.deepEqual(await meta().read(id, 'Size'), [])
      assert.deepEqual(await meta().read(id, 'weight'), [])
      assert.deepEqual(await meta().all(id), [
        { key: 'size', value: 'small' },
        { key: 'color', value: 'red' },
        { key: 'SIZE', value: null },
      ])
    })

    it(`all rows of a key are written, or one is created (${name})`, async () => {
      const id = (object += 1)
      await meta().write(id, 'price', '1')
      await meta().add(id, 'price', '2')
      await meta().write(id, 'Price', '3')
      assert.deepEqual(await meta().all(id), [
        { key: 'price', value: '3' },
        { key: 'price', value: '3' },
      ])
    })

    it(`the owners of a value of a key are found (${name})`, async () => {
      const [first, second, third] = [(object += 1), (object += 1), (object += 1)] as const
      await meta().add(second, `old-name-${name}`, 'lamp')
      await meta().add(first, `old-name-${name}`, 'lamp')
      await meta().add(first, `old-name-${name}`, 'lamp')
      await meta().add(third, `old-name-${name}`, 'lamps')
      await meta().add(third, `new-name-${name}`, 'lamp')
      assert.deepEqual(await meta().ownersOf(`Old-Name-${name}`, 'lamp', 5), [first, second])
      assert.deepEqual(await meta().ownersOf(`old-name-${name}`, 'lamp', 1), [first])
      assert.deepEqual(await meta().ownersOf(`old-name-${name}`, 'desk', 5), [])
    })

    it(`a key is removed (${name})`, async () => {
      const id = (object += 1)
      await meta().add(id, 'price', '1')
      await meta().add(id, 'color', 'red')
      assert.equal(await meta().remove(id, 'PRICE'), true)
      assert.equal(await meta().remove(id, 'price'), false)
      assert.deepEqual(await meta().all(id), [{ key: 'color', value: 'red' }])
    })

    it(`a value is replaced only while it equals the expected one (${name})`, async () => {
      const id = (object += 1)
      const attempts: [expected: string | null, value: string | null, done: boolean, stored: string[]][] = [
        ['x', 'y', false, []],
        [null, null, true, []],
        [null, 'a', true, ['a']],
        [null, 'b', false, ['a']],
        ['A', 'b', false, ['a']],
        ['a ', 'b', false, ['a']],
        ['a', 'b', true, ['b']],
        ['a', null, false, ['b']],
        ['b', null, true, []],
      ]
      for (const [expected, value, done, stored] of attempts) {
        const attempt = `${expected} to ${value}`
        assert.equal(await meta().replace(id, 'list', expected, value), done, attempt)
        assert.deepEqual(await meta().read(id, 'list'), stored, attempt)
      }
    })

    it(`the value of the exact key is replaced (${name})`, async () => {
      const id = (object += 1)
      await meta().add(id, 'LIST', 'a')
      assert.equal(await meta().replace(id, 'list', null, 'b'), true)
      assert.equal(await meta().replace(id, 'list', 'b', 'c'), true)
      assert.deepEqual(await meta().all(id), [
        { key: 'LIST', value: 'a' },
        { key: 'list', value: 'c' },
      ])
    })

    it(`concurrent replacements lose no change (${name})`, async () => {
      const id = (object += 1)
      const append = async (word: string): Promise<void> => {
        for (;;) {
          const [current] = await meta().read(id, 'words')
          if (await meta().replace(id, 'words', current ?? null, `${current ?? ''}${word} `)) return
        }
      }
      const words = Array.from({ length: 20 }, (_, index) => `w${index}`)
      await Promise.all(words.map(append))
      const [stored] = await meta().read(id, 'words')
      assert.deepEqual(stored?.trim().split(' ').sort(), [...words].sort())
    })
  }
}
