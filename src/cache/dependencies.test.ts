import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { note, noteAll, noting } from './dependencies.js'

test('what is asked for while an answer is made is noted, however deep, and nothing else', async () => {
  const tags = new Set<string>()
  note('before')
  await noting(tags, async () => {
    note('Posts:Product')
    await turn()
    noteAll(['terms'])
  })
  note('after')
  assert.deepEqual([...tags], ['posts:product', 'terms'])
})

test('answers that are made at once have notes of their own, also after one of them has ended or failed', async () => {
  const [quick, failing, slow] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let endSlow = (): void => undefined
  const others = new Promise<void>((resolve) => (endSlow = resolve))
  const made = noting(slow, async () => {
    note('first')
    await others
    note('second')
    await turn()
    note('third')
  })
  await noting(quick, async () => {
    await turn()
    note('quick')
  })
  await assert.rejects(
    noting(failing, async () => {
      await turn()
      note('failing')
      throw new Error('broken')
    }),
  )
  endSlow()
  await made
  assert.deepEqual([[...quick], [...failing], [...slow]], [['quick'], ['failing'], ['first', 'second', 'third']])
})

test('a handler that does not even begin leaves the notes of others alone', async () => {
  const [broken, slow] = [new Set<string>(), new Set<string>()]
  const made = noting(slow, async () => {
    await turn()
    note('slow')
  })
  await assert.rejects(
    noting(broken, () => {
      throw new Error('broken')
    }),
  )
  await made
  assert.deepEqual([...slow], ['slow'])
})
