import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { typescriptArguments } from '../../test/support/typescript.js'

const module = new URL('./young-generation.ts', import.meta.url)

/**
 * Runs the code in a new process, because the young generation never shrinks.
 * @returns for each call of `measure`, whether the young generation grew.
 */
function growth(flags: readonly string[], work: string): boolean[] {
  const code = `
    import { getHeapSpaceStatistics } from 'node:v8'
    const { withInitialYoungGeneration } = await import(${JSON.stringify(module.href)})
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
    const survivors = []
    const sizes = []
    const allocate = async () => {
      for (let i = 0; i < 600_000; i += 1) {
        survivors.push({ i, text: 'text ' + i })
        if (i > 300_000 && i % 10_000 === 0) sizes.push(size())
      }
    }
    const results = []
    // The median of many sizes: during a collection the space is larger than its limit for a moment. A new process has one or two
    // MiB, which V8 doubles whatever the factor is; without the limit, it grows to 13 at least, on Node 26 after some time.
    const measure = async (work) => {
      sizes.length = 0
      await work()
      results.push(sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] >= 8 * 1024 * 1024)
    }
    ${work}
    console.log(JSON.stringify(results))`
  const options = [...flags, ...typescriptArguments, '--input-type=module', '--eval', code]
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }))
}

test('the young generation grows after a start, but not during it', () => {
  const work = 'await measure(() => withInitialYoungGeneration(allocate)); await measure(allocate)'
  assert.deepEqual(growth([], work), [false, true])
})

test('the young generation grows after a start that failed', () => {
  const failing = 'withInitialYoungGeneration(async () => { throw new Error() })'
  assert.deepEqual(growth([], `await ${failing}.catch(() => undefined); await measure(allocate)`), [true])
})

test('a size of the young generation on the command line stays in effect', () => {
  const work = 'await measure(() => withInitialYoungGeneration(allocate))'
  assert.deepEqual(growth(['--max-semi-space-size=32'], work), [true])
})
