import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Project } from './types/compilers.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const recorded = join(root, 'conformance/recorded')

const folders = [
  'src',
  'docs',
  'conformance',
  'test',
  'bench',
  'scripts',
  'packages',
  'examples',
  'decisions',
  'suites',
]
const skipped = new Set(['node_modules', 'dist'])

/** Sources and documents below a folder. Recorded responses are data. */
function* textsBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (skipped.has(name)) continue
    if (statSync(path).isDirectory()) yield* textsBelow(path)
    else if (/\.(?:[cm]?[jt]s|md|eta|css|html|ya?ml|txt)$/.test(name)) yield path
  }
}

const rootDocuments = readdirSync(root).filter((name) => name.endsWith('.md'))
const texts = new Map(
  [
    ...rootDocuments.map((name) => join(root, name)),
    ...folders.flatMap((name) => [...textsBelow(join(root, name))]),
  ].map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
)
const documents = [...texts.keys()].filter((name) => /^(?:docs\/|decisions\/)?[^/]+\.md$/.test(name))

interface Heading {
  readonly level: number
  readonly line: number
  /** Its anchor, as GitHub makes it. */
  readonly slug: string
}

function headingsOf(text: string): readonly Heading[] {
  const seen = new Map<string, number>()
  const headings: Heading[] = []
  let isCode = false
  for (const [line, content] of text.split('\n').entries()) {
    if (content.startsWith('```')) isCode = !isCode
    const [, marks = '', title = ''] = (!isCode && /^(#{1,6}) +(.+?) *#* *$/.exec(content)) || []
    if (marks === '') continue
    const slug = slugOf(title)
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    headings.push({ level: marks.length, line, slug: times === 0 ? slug : `${slug}-${times}` })
  }
  return headings
}

/** GitHub keeps letters, digits, dashes and underscores, and turns spaces into dashes. */
function slugOf(title: string): string {
  const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return plain.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
}

const slugs = new Map<string, ReadonlySet<string>>()

/** Whether a document of the repository has this heading. @param name from the root of the repository. */
function hasHeading(name: string, slug: string): boolean {
  let own = slugs.get(name)
  if (!own) slugs.set(name, (own = new Set(headingsOf(texts.get(name) ?? '').map((heading) => heading.slug))))
  return own.has(slug)
}

/** `src/routing/table.ts:24: docs/wire.md#matching` for each match that is at fault. */
function faults(names: Iterable<string>, pattern: RegExp, isFault: (match: RegExpMatchArray, name: string) => boolean) {
  const citations: string[] = []
  for (const name of names) {
    const text = texts.get(name) ?? ''
    for (const match of text.matchAll(pattern))
      if (isFault(match, name))
        citations.push(`${name}:${text.slice(0, match.index).split('\n').length}: ${match[0].trim()}`)
  }
  return citations
}

test('a reference to a heading of a document leads to one', () => {
  const reference = /\bdocs\/([\w-]+\.md)#([\w-]+)/g
  assert.deepEqual(
    faults(texts.keys(), reference, ([, name = '', slug = '']) => !hasHeading(`docs/${name}`, slug)),
    [],
  )
})

test('a reference to a document or a decision leads to one', () => {
  const decisions = readdirSync(join(root, 'decisions'))
  assert.deepEqual(
    [
      ...faults(texts.keys(), /\bdocs\/[\w-]+\.md\b/g, ([name]) => !texts.has(name)),
      ...faults(
        texts.keys(),
        /\bdecisions\/(\d+)/g,
        ([, number = '']) => !decisions.some((name) => name.startsWith(number)),
      ),
      ...faults(texts.keys(), /(?<![\w./])[A-Z]{4,}\.md\b/g, ([name]) => !texts.has(name) && name !== 'README.md'),
    ],
    [],
  )
})

test('a decision is one page, and its trials are in an appendix', () => {
  const pages = [...texts].filter(([name]) => /^decisions\/\d/.test(name))
  assert.ok(pages.length > 20)
  assert.deepEqual(
    pages
      .filter(
        ([, text]) => text.split('\n').length > 41 || text.split(/\s+/).length > 490 || /^#+ Appendix/m.test(text),
      )
      .map(([name]) => name),
    [],
  )
})

test('a decision has a number, and the parts context, decision and consequences, and no others', () => {
  const pages = [...texts].filter(([name]) => /^decisions\/\d/.test(name))
  for (const [name, text] of pages) {
    assert.ok(text.startsWith(`# ${name.slice('decisions/'.length).slice(0, 3)} `), name)
    const parts = Array.from(
      text.matchAll(/^(?:\*\*(\w+)\.\*\*|#{2,} (.*)$)/gm),
      ([, part, heading]) => part ?? heading,
    )
    assert.deepEqual(parts, ['Context', 'Decision', 'Consequences'], name)
  }
})

test('a relative link of a document leads to a file, and its fragment to a heading', () => {
  const link = /\]\(([^()\s#]*)(?:#([^()\s]+))?\)/g
  assert.deepEqual(
    faults(documents, link, ([, path = '', slug], name) => {
      if (/^[a-z]+:/.test(path)) return false
      const target = path === '' ? name : relative(root, resolve(root, dirname(name), path))
      return !existsSync(join(root, target)) || (slug !== undefined && !hasHeading(target, slug))
    }),
    [],
  )
})

const wire = texts.get('docs/wire.md') ?? ''
const wireLines = wire.split('\n')
/** Those without subsections, each with its text. */
const sections = headingsOf(wire).flatMap(({ level, line, slug }, index, headings) => {
  const next = headings[index + 1]
  const isLeaf = next === undefined || next.level <= level
  return isLeaf
    ? [
        {
          slug,
          text: wireLines
            .slice(line + 1, next?.line)
            .join('\n')
            .trim(),
        },
      ]
    : []
})

test('a path of the repository that the reference of the wire names is there', () => {
  const path = /`((?:src|test|conformance|examples)\/[^`\s*<>]+)`/g
  assert.deepEqual(
    faults(['docs/wire.md'], path, ([, name = '']) => !existsSync(join(root, name))),
    [],
  )
})

test('each section of the reference of the wire ends with what proves it', () => {
  const last = sections.at(-1)
  const unproved = sections.filter(({ text }) => !/(?:^|\n\n)Proved by: (?:`[^`]+`(?:,\s|\.$))+$/.test(text))
  assert.deepEqual(
    unproved.map(({ slug }) => slug),
    [last?.slug],
  )
})

/** The recorded suites by the names that the reference gives them. */
function* suitesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* suitesBelow(path)
    else if (name.endsWith('.json')) yield relative(recorded, path).slice(0, -'.json'.length)
  }
}

test('the proofs that a section names are recorded suites or test files', () => {
  const suites = new Set(suitesBelow(recorded))
  const missing = sections.flatMap(({ slug, text }) => {
    const [, list = ''] = /\n\nProved by: ([^]*)$/.exec(text) ?? []
    return [...list.matchAll(/`([^`]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name.endsWith('.test.ts') ? texts.has(name) : suites.has(name)))
      .map((name) => `${slug}: ${name}`)
  })
  assert.deepEqual(missing, [])
})

test('the reference of the wire lists every recorded suite', () => {
  const { text = '' } = sections.at(-1) ?? {}
  const listed = new Set([...text.matchAll(/`((?:http|vectors)\/[^`]+)`/g)].map(([, name]) => name))
  const data = new Set(['http/fixtures', 'http/echo-routes'])
  const suites = [...suitesBelow(recorded)].filter((name) => !data.has(name) && !name.startsWith('vectors/functions/'))
  assert.deepEqual([...listed].filter((name) => name !== 'vectors/functions/<name>').sort(), suites.sort())
})

/** What was cited before the repository had a reference of its own. */
const citation =
  /\b(?:WIRE|DESIGN|STYLE|SPECIFICATION|PERFORMANCE|ECOSYSTEM|DATABASES)(?:\.md)?,?\s*[§\d]|\bspecification, [A-Z§\d]/g

test('no line cites a document that the repository does not contain', () => {
  assert.deepEqual(
    faults(texts.keys(), citation, () => true),
    [],
  )
})

test('the published declarations stand alone: they cite nothing, and refer to no heading', async () => {
  const project = new Project()
  try {
    await project.install()
    const dist = join(project.folder, 'node_modules/as-rest-route/dist')
    const published = declarationsFrom(['index.d.ts', 'testing.d.ts', 'vite.d.ts'].map((name) => join(dist, name)))
    assert.ok(published.size > 50)
    const wrong = [...published].flatMap(([path, text]) =>
      [...text.matchAll(/\bdocs\/[\w-]+\.md#[\w-]+/g), ...text.matchAll(citation)].map(
        ([match]) => `${relative(dist, path)}: ${match}`,
      ),
    )
    assert.deepEqual(wrong, [])
  } finally {
    project.remove()
  }
})

/** The texts of these declaration files and of all that they import, by path. */
function declarationsFrom(entries: readonly string[]): ReadonlyMap<string, string> {
  const read = new Map<string, string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (read.has(path)) continue
    const text = readFileSync(path, 'utf8')
    read.set(path, text)
    for (const [, name = ''] of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g))
      waiting.push(resolve(dirname(path), name.replace(/\.js$/, '.d.ts')))
  }
  return read
}
