import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compilers, Project } from './compilers.js'

const textOf = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const page = textOf('declaring')

test('every code block of docs/declaring.md and docs/application.md compiles, and what it calls wrong is refused', async () => {
  const project = new Project()
  try {
    await project.install()
    const [, current] = compilers
    assert.ok(current)
    // Each page is a program of its own: it declares the content of one application.
    for (const name of ['declaring', 'application']) {
      const blocks = [...textOf(name).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
      assert.ok(blocks.length >= 5)
      for (const [index, code] of blocks.entries()) project.write(`${name}/block-${index + 1}.ts`, code)
      assert.deepEqual(await project.compile(current, [name]), [])
    }
  } finally {
    project.remove()
  }
})

test('every sentence that docs/declaring.md lists is one that the compiler says', () => {
  const snapshots = new URL('snapshots/', import.meta.url)
  const said = readdirSync(snapshots)
    .filter((name) => name.startsWith('typescript-'))
    .map((name) => readFileSync(new URL(name, snapshots), 'utf8'))
  const listed = [
    ...page.matchAll(/^\| `(.*?)` \| (?:namespace|route|method|args|permission|request|handler|target)/gm),
  ]
  assert.ok(listed.length >= 25)
  for (const [, sentence = ''] of listed) {
    const pattern = new RegExp(sentence.split('…').map(escaped).join('.*?'))
    for (const text of said) assert.match(text, pattern)
  }
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
