import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRestRoute } from './vite.js'

const { transform, enforce } = asRestRoute()

const decorated = `
import type { Shape } from './shape.js'
export class Api {
  constructor(private readonly shape?: Shape) {}
  @mark('here') method(): Shape | undefined { return this.shape ?? undefined }
}
`

for (const id of ['/app/api.ts', '/app/api.mts', '/app/api.ts?v=1', 'C:/app/api.tsx'])
  test(`decorators of ${id} are lowered, and nothing else is`, async () => {
    const lowered = await transform(decorated, id)
    assert.doesNotMatch(lowered?.code ?? '@mark', /@mark/)
    assert.match(lowered?.code ?? '', /\?\?/)
    assert.deepEqual((JSON.parse(lowered?.map ?? '{}') as { sources: string[] }).sources.length, 1)
  })

for (const [id, code] of [
  ['/app/api.js', decorated],
  ['/app/style.css', '@import "x"'],
  ['/app/plain.ts', 'export const one: number = 1'],
] as const)
  test(`${id} is left to Vite`, async () => assert.equal(await transform(code, id), null))

test('JSX stays JSX, for Vite to compile', async () => {
  const lowered = await transform('export const a = <a title="@" />', '/app/a.tsx')
  assert.match(lowered?.code ?? '', /<a title="@" \/>/)
})

test('it comes before what Vite does to TypeScript', () => assert.equal(enforce, 'pre'))
