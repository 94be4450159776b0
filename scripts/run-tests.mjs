// Runs the test files given as arguments with Node's own runner, in the given order: `node --test` sorts them by name.
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import report from './reporter.mjs'

/** Their files have a process each: they are long, or they change what the whole process shares. */
const separate = [
  'conformance/',
  'test/browser/',
  'test/cache/memory.test.ts',
  'test/cli/',
  'test/clients/',
  'test/endpoints/users-me-statements.test.ts',
  'test/moving/',
  'test/stores/',
  'test/tools/',
  'test/types/',
  'test/wordpress/',
]
/** Where the files that import those of a group are. Each run writes its own. */
const groupFolder = resolve('node_modules/.cache/tests', String(process.pid))
mkdirSync(groupFolder, { recursive: true })
/**
 * Tests wait until all files of their group are loaded. The runner would otherwise end when those of the first file are over,
 * with the services that the next file is starting, and what one file prepares would be seen by the tests of another.
 */
const allAreLoaded = `import { before } from 'node:test'
let loaded
const all = new Promise((resolve) => { loaded = resolve })
before(() => all)
`

// One more than there are processors: many tests wait for servers and clocks.
const events = run({ files: grouped(process.argv.slice(2)), concurrency: availableParallelism() + 1 })
events.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
await pipeline(events.compose(report), process.stdout, { end: false })

/**
 * The other files of a folder share a process, because loading the sources takes one and a half seconds of a processor.
 * @returns files that each run in a process, in the order of the first files.
 */
function grouped(files) {
  const groups = new Map()
  for (const file of files) {
    const isSeparate = separate.some((folder) => file.startsWith(folder))
    const name = isSeparate ? file : file.split('/').slice(0, 2).join('-')
    groups.set(name, [...(groups.get(name) ?? []), file])
  }
  return [...groups].map(([name, [first, ...others]]) => {
    if (others.length === 0) return first
    const group = join(groupFolder, `${name}.mjs`)
    const imports = [first, ...others].map(
      (file) => `await import(${JSON.stringify(pathToFileURL(resolve(file)).href)})\n`,
    )
    writeFileSync(group, `${allAreLoaded}${imports.join('')}loaded()\n`)
    return group
  })
}
