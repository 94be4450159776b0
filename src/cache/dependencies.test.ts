import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { trackDependency, trackDependencies, trackingDependencies } from './dependencies.js'

test('the tags of all rows read within a computation are tracked, and no others', async () => {
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

test('concurrent computations have separate tags, also after one of them ends or fails', async () => {
  const [quick, failing, slow] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let endSlow = (): void => undefined
  const others = new Promise<void>((resolve) => (endSlow = resolve))
  const computation = trackingDependencies(slow, async () => {
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
  await computation
  assert.deepEqual([[...quick], [...failing], [...slow]], [['quick'], ['failing'], ['first', 'second', 'third']])
})

test('a computation that throws at once leaves the tags of others in place', async () => {
  const [broken, slow] = [new Set<string>(), new Set<string>()]
  const computation = trackingDependencies(slow, async () => {
    await turn()
    trackDependency('slow')
  })
  await assert.rejects(
    trackingDependencies(broken, () => {
      throw new Error('broken')
    }),
  )
  await computation
  assert.deepEqual([...slow], ['slow'])
})
