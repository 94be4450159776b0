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
  greeting: `<%= typeof name === 'undefined' ? 'no name' : name %>`,
  later: '<%= await name %>',
  frame: '<main><%~ body %></main><%= title %>',
  framed: `<% layout('frame', { title: 'T' }) %><%= name %>`,
  assigned: `<% name = name + '!' %><%~ include('greeting') %>`,
  declared: '<% const name = 1 %><%= name %>',
  whole: `<%= Object.keys(it).join() %>`,
  static: 'no values',
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
  ['greeting', {}, 'no name'],
  ['greeting', { name: 'Ada' }, 'Ada'],
  ['greeting', { name: 'Ada', other: 1 }, 'Ada'],
  ['greeting', { name: 'Ada', größe: 1 }, 'Ada'],
  ['greeting', { name: 'Ada', class: 1, 'data-x': 2 }, 'Ada'],
  ['greeting', { name: 'Ada', include: 1, options: 2, it: 4 }, 'Ada'],
  ['greeting', { name: 'Ada', 'x } = it; throw 1; let { y': 1 }, 'Ada'],
  ['later', { name: Promise.resolve('Ada') }, 'Ada'],
  ['framed', { name: 'Ada' }, '<main>Ada</main>T'],
  ['assigned', { name: 'Ada' }, 'Ada!'],
  ['declared', { name: 'Ada' }, '1'],
  ['whole', { a: 1, b: 2 }, 'a,b'],
  ['static', { name: 'Ada' }, 'no values'],
]
for (const [template, context, html] of table)
  test(`the template ${template} with ${Object.keys(context).join(', ') || 'no values'} renders ${html}`, async () => {
    // The first call compiles the template, the second uses the compiled variant.
    assert.deepEqual([await views.render(template, context), await views.render(template, context)], [html, html])
  })

test('a template renders with any number of different names in its context', async () => {
  for (let number = 0; number < 50; number += 1)
    assert.equal(await views.render('greeting', { name: 'Ada', [`other${number}`]: number }), 'Ada')
  assert.equal(await views.render('greeting', { name: 'Ada', ['n'.repeat(100_000)]: 1 }), 'Ada')
})

test('a template that assigns to a name does not change the context object', async () => {
  const context = { name: 'Ada' }
  await views.render('assigned', context)
  assert.deepEqual(context, { name: 'Ada' })
})

test('a shared value is in the context of every template, and a value of render takes precedence', async () => {
  const shared = new EtaViews(folder, true)
  shared.share('name', 'Shared')
  assert.equal(await shared.render('greeting'), 'Shared')
  assert.equal(await shared.render('greeting', { name: 'Own' }), 'Own')
})

test('the first template that exists is rendered', async () => {
  assert.equal(await views.renderFirst(['none', 'static']), 'no values')
  await assert.rejects(views.renderFirst(['none', 'neither']), /None of the templates none, neither exists/)
})

for (const name of ['none', '../static', 'static.eta', '/static', ''])
  test(`there is no template '${name}'`, async () => {
    assert.equal(views.exists(name), false)
    await assert.rejects(views.render(name), /There is no template/)
  })

test('render rejects when a template has a syntax error or throws', async () => {
  await assert.rejects(views.render('broken'), /Bad template syntax/)
  await assert.rejects(views.render('partials/card', { post: null }), TypeError)
  await assert.rejects(views.render('partials/card'), ReferenceError)
})

test('the stack of an error in a template has its own file and line, and the error stays as it was', async () => {
  write('outer', '<p>\n<%~ include("inner", { post: it.post }) %>\n</p>')
  write('inner', '<b>\n\n<%= post.title %>\n</b>')
  write('long', '<b>\n<%\nconst title = "x"\nJSON.parse(text)\n%>\n</b>')
  write('unclosed', '<b>\n<%= name')
  write('wrong', '<b>\n<% if (x { %>\n</b>')
  write('refusing', '<%= refuse() %>')
  const refusal = Object.freeze(new Error('for a client'))
  const placeOf = (file: string) => (error: Error) => {
    assert.ok(error.stack?.includes(`    at template (${join(folder, file)}:`), error.stack)
    const [, line] = /\n {4}at template \(.*:(\d+):1\)\n {4}at /.exec(error.stack ?? '') ?? []
    assert.doesNotMatch(error.message, /eta/)
    return [error.name, error.message, Number(line)]
  }
  const failure = (rendering: Promise<string>) =>
    rendering.then(
      () => assert.fail(),
      (error: Error) => error,
    )
  for (const each of [views, new EtaViews(folder, false)]) {
    const missing = "Cannot read properties of null (reading 'title')"
    for (const name of ['inner', 'outer']) {
      const error = await failure(each.render(name, { post: null }))
      assert.deepEqual(placeOf('inner.eta')(error), ['TypeError', missing, 3])
    }
    const unknown = await failure(each.render('inner', {}))
    assert.deepEqual(placeOf('inner.eta')(unknown), ['ReferenceError', 'post is not defined', 3])
    const malformed = await failure(each.render('long', { text: '{' }))
    assert.deepEqual(placeOf('long.eta')(malformed).slice(0, 1), ['SyntaxError'])
    assert.equal(placeOf('long.eta')(malformed)[2], 4)
    await assert.rejects(each.render('wrong', {}), {
      message: `${join(folder, 'wrong.eta')}: Bad template syntax: Unexpected token '{'`,
    })
    await assert.rejects(each.render('unclosed', {}), (error: Error) => {
      assert.ok(error.message.startsWith(`${join(folder, 'unclosed.eta')}: `), error.message)
      assert.match(error.message, /at line 2 col 1/)
      return true
    })
    const refuse = () => {
      throw refusal
    }
    assert.equal(await failure(each.render('refusing', { refuse })), refusal)
    assert.equal(refusal.message, 'for a client')
  }
})

const statements: Readonly<Record<string, readonly [template: string, html: string]>> = {
  if: ['<% if (it.no) %>\n<%= "secret" %>\n', ''],
  for: ['<% for (const i of [1, 2]) %>\n<%= i %>', '12'],
  else: ['<% if (it.no) { %>\na\n<% } %>\n<% else { %>\nb\n<% } %>', 'b\n'],
  switch: ['<% switch (1) { %>\n<% case 1: %>\none\n<% } %>', 'one\n'],
  list: ['<% let n = 0 %>\n<% ;[1, 2].forEach((i) => (n += i)) %>\n<%= n %>', '3'],
  function: ['<% (() => (it.x = 4))() %>\n<%= it.x %>', '4'],
}
for (const [name, [template, html]] of Object.entries(statements))
  test(`a statement may extend over tags: ${name}`, async () => {
    write(`statement-${name}`, template)
    write(`including-${name}`, `<%~ include("statement-${name}", it) %>`)
    for (const each of [views, new EtaViews(folder, false)])
      for (const file of [`statement-${name}`, `including-${name}`])
        assert.equal(await each.render(file, { no: false, x: 0 }), html)
  })

test('a template that is created after a failed lookup is found', async () => {
  assert.equal(views.exists('newcomer'), false)
  write('newcomer', 'here')
  assert.equal(views.exists('newcomer'), true)
  assert.equal(await views.render('newcomer'), 'here')
})

test('without a cache the next render uses the changed file', async () => {
  const fresh = new EtaViews(folder, false)
  write('changing', 'one')
  assert.equal(await fresh.render('changing'), 'one')
  write('changing', '<%= name %>')
  assert.equal(await fresh.render('changing', { name: 'two' }), 'two')
})
