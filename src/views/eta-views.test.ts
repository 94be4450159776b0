import assert from 'node:assert/strict'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { EtaViews } from './eta-views.js'

const folder = mkdtempSync(join(tmpdir(), 'views-'))
after(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string): void => writeFileSync(join(folder, `${name}.eta`), text)

mkdirSync(join(folder, 'partials'))
const templates: Record<string, string> = {
  'partials/card': '<h3><%= post.title %></h3>',
  raw: '<%~ html %>',
  cards: `<% for (const post of posts) { %><%~ include('/partials/card', { post }) %><% } %>`,
  asked: `<%= typeof name === 'undefined' ? 'nobody' : name %>`,
  later: '<%= await name %>',
  frame: '<main><%~ body %></main><%= title %>',
  framed: `<% layout('frame', { title: 'T' }) %><%= name %>`,
  assigned: `<% name = name + '!' %><%~ include('asked') %>`,
  declared: '<% const name = 1 %><%= name %>',
  whole: `<%= Object.keys(it).join() %>`,
  static: 'it lasts',
  broken: '<% if ( { %>',
}
for (const [name, text] of Object.entries(templates)) write(name, text)

const views = new EtaViews(folder, true)

const table: [template: string, context: Record<string, unknown>, html: string][] = [
  [
    'partials/card',
    { post: { title: `<b> & "c" 'd' &amp;` } },
    '<h3>&lt;b&gt; &amp; &quot;c&quot; &#039;d&#039; &amp;</h3>',
  ],
  ['raw', { html: '<b>' }, '<b>'],
  ['cards', { posts: [{ title: 'A' }, { title: 'B' }] }, '<h3>A</h3><h3>B</h3>'],
  ['asked', {}, 'nobody'],
  ['asked', { name: 'Ada' }, 'Ada'],
  ['asked', { name: 'Ada', other: 1 }, 'Ada'],
  ['asked', { name: 'Ada', größe: 1 }, 'Ada'],
  ['asked', { name: 'Ada', class: 1, 'data-x': 2 }, 'Ada'],
  ['asked', { name: 'Ada', include: 1, options: 2, it: 4 }, 'Ada'],
  ['asked', { name: 'Ada', 'x } = it; throw 1; let { y': 1 }, 'Ada'],
  ['later', { name: Promise.resolve('Ada') }, 'Ada'],
  ['framed', { name: 'Ada' }, '<main>Ada</main>T'],
  ['assigned', { name: 'Ada' }, 'Ada!'],
  ['declared', { name: 'Ada' }, '1'],
  ['whole', { a: 1, b: 2 }, 'a,b'],
  ['static', { name: 'Ada' }, 'it lasts'],
]
for (const [template, context, html] of table)
  test(`${template} with ${Object.keys(context).join(', ') || 'nothing'} is ${html}`, async () => {
    // The second time is the one that counts: by then everything is compiled.
    assert.deepEqual([await views.render(template, context), await views.render(template, context)], [html, html])
  })

test('any number of different names may be given', async () => {
  for (let number = 0; number < 50; number += 1)
    assert.equal(await views.render('asked', { name: 'Ada', [`other${number}`]: number }), 'Ada')
  assert.equal(await views.render('asked', { name: 'Ada', ['n'.repeat(100_000)]: 1 }), 'Ada')
})

test('a context is not changed by its template', async () => {
  const context = { name: 'Ada' }
  await views.render('assigned', context)
  assert.deepEqual(context, { name: 'Ada' })
})

test('what is shared is known to every template, and a context of the same name wins', async () => {
  const shared = new EtaViews(folder, true)
  shared.share('name', 'Shared')
  assert.equal(await shared.render('asked'), 'Shared')
  assert.equal(await shared.render('asked', { name: 'Own' }), 'Own')
})

test('the first template that exists is rendered', async () => {
  assert.equal(await views.renderFirst(['none', 'static']), 'it lasts')
  await assert.rejects(views.renderFirst(['none', 'neither']), /None of the templates none, neither exists/)
})

for (const name of ['none', '../static', 'static.eta', '/static', ''])
  test(`there is no template '${name}'`, async () => {
    assert.equal(views.exists(name), false)
    await assert.rejects(views.render(name), /There is no template/)
  })

test('a template that is none, or that fails, is told to who asked for it', async () => {
  await assert.rejects(views.render('broken'), /Bad template syntax/)
  await assert.rejects(views.render('partials/card', { post: null }), TypeError)
  await assert.rejects(views.render('partials/card'), ReferenceError)
})

test('a template that comes into being is found, though it was asked for before', async () => {
  assert.equal(views.exists('newcomer'), false)
  write('newcomer', 'here')
  assert.equal(views.exists('newcomer'), true)
  assert.equal(await views.render('newcomer'), 'here')
})

test('without a cache a change is seen at once', async () => {
  const fresh = new EtaViews(folder, false)
  write('changing', 'one')
  assert.equal(await fresh.render('changing'), 'one')
  write('changing', '<%= name %>')
  assert.equal(await fresh.render('changing', { name: 'two' }), 'two')
})
