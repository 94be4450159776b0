import assert from 'node:assert/strict'
import test from 'node:test'
import { PermalinkStructure } from './permalink-structure.js'

const table: [structure: string, path: string, values: Record<string, string> | null][] = [
  ['/%postname%/', '/lamp/', { postname: 'lamp' }],
  ['/%postname%/', '/lamp', { postname: 'lamp' }],
  ['/%postname%/', '/about/team/', null],
  [
    '/%year%/%monthnum%/%day%/%postname%/',
    '/2025/03/04/lamp/',
    { year: '2025', monthnum: '03', day: '04', postname: 'lamp' },
  ],
  ['/%year%/%monthnum%/%day%/%postname%/', '/next/03/04/lamp/', null],
  ['/archives/%post_id%', '/archives/12', { post_id: '12' }],
  ['/archives/%post_id%', '/archives/twelve', null],
  ['/%category%/%postname%/', '/tools/parts/lamp/', { category: 'parts', postname: 'lamp' }],
  ['/p.%post_id%.html', '/p.12.html', { post_id: '12' }],
  ['/p.%post_id%.html', '/px12xhtml', null],
  ['', '/lamp/', null],
]
for (const [text, path, values] of table)
  test(`the path ${path} ${values ? 'matches' : 'does not match'} the structure '${text}'`, () => {
    const match = new PermalinkStructure(text).match(path)
    assert.deepEqual(match === null ? null : { ...match }, values)
  })

test('a structure gives the path of a post, its fixed front and its end', () => {
  const structure = new PermalinkStructure('/archives/%year%/%postname%')
  assert.equal(
    structure.pathWith((tag) => `a ${tag}`),
    '/archives/a year/a postname',
  )
  assert.equal(new PermalinkStructure('/%tag%/%year%/').pathWith(String), '/%tag%/year/')
  assert.equal(structure.front, '/archives/')
  assert.equal(structure.end, '')
  assert.equal(new PermalinkStructure('/%postname%/').front, '/')
  assert.equal(new PermalinkStructure('/%postname%/').end, '/')
})
