import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { compilers, Project, type Diagnostic } from './compilers.js'

// What each compiler says about each wrong declaration is kept in `snapshots`, to be read by a person;
// `UPDATE_SNAPSHOTS=1 node scripts/test.mjs test/types` writes them anew.

const here = new URL('./', import.meta.url)
const refused = new URL('refused/', here)
const content = new URL('content/', here)
const flow = new URL('flow/', here)
const examples = new URL('../../examples/', here)
const project = new Project()

before(async () => {
  await project.install()
  project.copyRevealed(refused, 'refused')
  project.copyRevealed(new URL('legacy/', here), 'legacy')
  project.copyRevealed(content, 'content')
  for (const path of readdirSync(examples, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/dist/'))
      project.write(path, readFileSync(new URL(path, examples), 'utf8'))
  for (const name of readdirSync(flow)) project.write(`flow/${name}`, readFileSync(new URL(name, flow), 'utf8'))
  project.write('declared/declared.ts', readFileSync(new URL('declared.ts', here), 'utf8'))
  project.write('own-sanitizer/own-sanitizer.ts', ownSanitizer)
  project.write('consumer/consumer.ts', consumer)
})
after(() => project.remove())

const ownSanitizer = `
import { route, type RequestOf } from 'as-rest-route'
declare module 'as-rest-route' {
  interface SanitizerTypes { to_tags: string[] }
}
const tagged = route({
  namespace: 'shop/v1', route: '/tagged',
  args: { tags: { type: 'string', required: true, sanitize_callback: 'to_tags' } },
})
export const tagsOf = (request: RequestOf<typeof tagged>): string[] => request.get_param('tags')
`

const consumer = `
import { boot, AsRestRoute, RestResponse, type RestRequest } from 'as-rest-route'
export class Api {
  @AsRestRoute({ namespace: 'shop/v1', route: '/a/(?P<id>\\\\d+)', permission: 'public' })
  show(request: RestRequest<{ id: string }>) { return new RestResponse({ id: request.get_param('id') }) }
}
export const service = boot([Api])
`

for (const compiler of compilers) {
  test(`TypeScript ${compiler.version} carries names and types from a declaration to the request, and knows an added sanitiser`, async () => {
    assert.deepEqual(await project.compile(compiler, ['flow', 'own-sanitizer']), [])
  })

  // Each adds its own content to the types of the package.
  for (const example of ['shop', 'events'])
    test(`TypeScript ${compiler.version} compiles the example ${example}`, async () => {
      assert.deepEqual(await project.compile(compiler, [example]), [])
    })

  test(`TypeScript ${compiler.version} can name in a declaration file what the package gives and takes`, async () => {
    // TypeScript 5.4 looks at declarations only where it writes them.
    const written = { noEmit: false, declaration: true, rootDir: 'declared', outDir: `declared-${compiler.version}` }
    assert.deepEqual(await project.compile(compiler, ['declared'], written), [])
  })

  test(`TypeScript ${compiler.version} refuses names of content that are not declared`, async () => {
    const diagnostics = await project.compile(compiler, ['content'])
    const others = diagnostics.filter(({ file }) => file !== 'content/refused.ts')
    assert.deepEqual(others, [])
    compareWithSnapshot(`content-${compiler.version}`, reportOn('refused.ts', diagnostics, 'content/', content))
  })

  test(`TypeScript ${compiler.version} understands the package's own declarations`, async () => {
    const faults = await project.compile(compiler, ['consumer'], { skipLibCheck: false })
    // Other packages' declarations are not ours to check.
    assert.deepEqual(
      faults.filter(({ file }) => !file.includes('@types/') && !file.includes('undici-types')),
      [],
    )
  })

  test(`TypeScript ${compiler.version} refuses every wrong declaration, with a sentence`, async () => {
    const diagnostics = await project.compile(compiler, ['refused'])
    const report = [...readdirSync(refused)].sort().map((name) => reportOn(name, diagnostics))
    compareWithSnapshot(`typescript-${compiler.version}`, report.join('\n'))
  })

  test(`TypeScript ${compiler.version} says what to change when experimentalDecorators is on`, async () => {
    const [diagnostic, ...others] = await project.compile(compiler, ['legacy'], { experimentalDecorators: true })
    assert.deepEqual(others, [])
    assert.match(
      diagnostic?.text ?? '',
      /@AsRestRoute needs standard decorators: remove \\?"experimentalDecorators\\?" from tsconfig\.json/,
    )
  })
}

/** Every case of a file, by its comment, with what the compiler says about the line below it. */
function reportOn(
  name: string,
  diagnostics: readonly Diagnostic[],
  folder = 'refused/',
  originals: URL = refused,
): string {
  const lines = readFileSync(new URL(name, originals), 'utf8').split('\n')
  const own = diagnostics.filter(({ file }) => file === folder + name)
  const cases = lines.flatMap((line, index) => {
    const title = /\/\/ @ts-expect-error (.*)/.exec(line)?.[1]
    return title === undefined ? [] : [{ title, line: index + 2 }]
  })
  const strays = own.filter(({ line }) => !cases.some((one) => one.line === line))
  assert.deepEqual(strays, [], `${name}: a complaint where none was expected`)
  const sections = cases.map(({ title, line }) => {
    const texts = own.filter((diagnostic) => diagnostic.line === line).map(({ text }) => text)
    assert.notDeepEqual(texts, [], `${name}: nothing is said about ${title}`)
    return `## ${title}\n\n    ${lines[line - 1]?.trim()}\n\n${texts.join('\n')}\n`
  })
  return `# ${name}\n\n${sections.join('\n')}`
}

function compareWithSnapshot(name: string, report: string): void {
  const file = new URL(`snapshots/${name}.txt`, here)
  if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(file, report)
  assert.equal(report, readFileSync(file, 'utf8'))
}
