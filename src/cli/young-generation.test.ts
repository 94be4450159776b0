import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const module = new URL('./young-generation.ts', import.meta.url)

/** In a process of its own: what has grown stays so. @returns whether the young generation grew during each piece of work. */
function growth(flags: readonly string[], work: string): boolean[] {
  const code = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const { withoutGrowth } = await import(${JSON.stringify(module.href)})
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    const kept = []
    const sizes = []
    const makeWhatStays = async () => {
      for (let i = 0; i < 600_000; i += 1) {
        kept.push({ i, text: 'text ' + i })
        if (i > 300_000 && i % 10_000 === 0) sizes.push(size())
      }
    }
    const found = []
    // The least of many sizes: in the middle of a collection the space is larger for a moment, whatever its limit.
    const watched = async (work) => {
      const before = size()
      sizes.length = 0
      await work()
      found.push(Math.min(...sizes) >= 2 * before)
    }
    ${work}
    console.log(JSON.stringify(found))`
  const options = [...flags, '--import', 'tsx', '--input-type=module', '--eval', code]
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
}

test('the young generation grows after the start, and not with it', () => {
  const work = 'await watched(() => withoutGrowth(makeWhatStays)); await watched(makeWhatStays)'
  assert.deepEqual(growth([], work), [false, true])
})

test('it grows again after a start that failed', () => {
  const failing = 'withoutGrowth(async () => { throw new Error() })'
  assert.deepEqual(growth([], `await ${failing}.catch(() => undefined); await watched(makeWhatStays)`), [true])
})

test('it stays as an operator wants it', () => {
  const work = 'await watched(() => withoutGrowth(makeWhatStays))'
  assert.deepEqual(growth(['--max-semi-space-size=32'], work), [true])
})
