import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { trackDependency, trackDependencies, trackingDependencies } from './dependencies.js'

test('what is asked for while an answer is made is noted, however deep, and nothing else', async () => {
  const tags = new Set<string>()
  trackDependency('before')
  await trackingDependencies(tags, async () => {
    trackDependency('Posts:Product')
    await turn()
    trackDependencies(['terms'])
  })
  trackDependency('after')
  assert.deepEqual([...tags], ['posts:product', 'terms'])
})

test('answers that are made at once have notes of their own, also after one of them has ended or failed', async () => {
  const [quick, failing, slow] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let endSlow = (): void => undefined
  const others = new Promise<void>((resolve) => (endSlow = resolve))
  const made = trackingDependencies(slow, async () => {
    trackDependency('first')
    await others
    trackDependency('second')
    await turn()
    trackDependency('third')
  })
  await trackingDependencies(quick, async () => {
    await turn()
    trackDependency('quick')
  })
  await assert.rejects(
    trackingDependencies(failing, async () => {
      await turn()
      trackDependency('failing')
      throw new Error('broken')
    }),
  )
  endSlow()
  await made
  assert.deepEqual([[...quick], [...failing], [...slow]], [['quick'], ['failing'], ['first', 'second', 'third']])
})

test('a handler that does not even begin leaves the notes of others alone', async () => {
  const [broken, slow] = [new Set<string>(), new Set<string>()]
  const made = trackingDependencies(slow, async () => {
    await turn()
    trackDependency('slow')
  })
  await assert.rejects(
    trackingDependencies(broken, () => {
      throw new Error('broken')
    }),
  )
  await made
  assert.deepEqual([...slow], ['slow'])
})
