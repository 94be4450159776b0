import assert from 'node:assert/strict'
import { RecordRejectedError } from '../../../src/content/record.js'
import { author, product, titles, visitor, type Behaves } from './setup.js'

/** What writes store, and what they refuse. */
export function writingContract(behaves: Behaves): void {
  behaves('a record comes back as it was given', async (store) => {
    const text = 'C:\\new \\"q\\" <b>&amp;</b> 日本 🎁 \u0000 end'
    const record = await store.insert(
      product(text, { content: text, excerpt: 'e', meta: { price: 12.5, colours: ['red', 'blue'] } }),
    )
    assert.equal(record.title, text)
    assert.equal(record.content, text)
    assert.deepEqual({ ...record.meta }, { price: 12.5, colours: ['red', 'blue'], total_sales: 0 })
    assert.equal(record.author, 1)
    assert.equal(record.date, '2026-01-15T12:00:00')
    assert.deepEqual(await store.get(record.id), record)
  })

  behaves('what does not exist is null, or false', async (store) => {
    for (const id of [0, -1, 1.5, Number.NaN, 99, 2 ** 60]) {
      assert.equal(await store.get(id), null)
      assert.equal(await store.update(id, { title: 'x' }), null)
      assert.equal(await store.delete(id), false)
    }
  })

  behaves('a record without any text is refused, and nothing of it stays', async (store) => {
    await assert.rejects(store.insert(product('   ', { meta: { price: 1 } })), { code: 'empty_content' })
    await assert.rejects(store.insert(product('@@'.repeat(33_000))), {
      code: 'db_insert_error',
      message: 'Could not insert post into the database.',
    })
    await assert.rejects(store.insert(product('bad \udcff byte')), { code: 'db_insert_error' })
    await assert.rejects(store.insert(product('Dated', { date: '2024-02-30' })), { code: 'invalid_date' })
    await assert.rejects(store.insert(product('Shelved', { terms: { category: ['cellar'] } })), {
      code: 'invalid_term',
    })
    await assert.rejects(store.insert({ type: 'folder', title: 'Odd', meta: { '': 1 } }), RecordRejectedError)
    assert.equal(await store.count({ type: 'product' }), 0)
  })

  behaves('slugs come from titles and are unique within a type', async (store) => {
    const slugs = ['Été à Paris!', 'Ete a Paris', 'ÉTÉ À PARIS'].map(
      async (title) => (await store.insert(product(title))).slug,
    )
    assert.deepEqual(new Set(await Promise.all(slugs)), new Set(['ete-a-paris', 'ete-a-paris-2', 'ete-a-paris-3']))
    assert.equal((await store.insert({ type: 'post', status: 'publish', title: 'Ete a Paris' })).slug, 'ete-a-paris')
    const { id, slug } = await store.insert(product('', { content: 'c' }))
    assert.equal(slug, String(id))
    // As in WordPress, where `0` is as good as no slug, and the backslash goes of an escaped NUL.
    const odd: [title: string, slug: string][] = [
      ['0', '0'],
      ['0', '0'],
      ['nul\0x', 'nul0x'],
      ['nul\0x', 'nul0x-2'],
    ]
    for (const [title, slug] of odd) assert.equal((await store.insert(product(title, { content: 'c' }))).slug, slug)
  })

  behaves('many writers at once never share a slug', async (store) => {
    const records = await Promise.all(Array.from({ length: 20 }, () => store.insert(product('Lamp'))))
    assert.equal(new Set(records.map((record) => record.slug)).size, 20)
  })

  behaves('an update keeps what it leaves out', async (store, { wait }) => {
    const before = await store.insert(product('Lamp', { content: 'c', meta: { price: 5, colour: 'red' } }))
    wait(60)
    const after = await store.update(before.id, { title: 'Big lamp', meta: { price: 6 } })
    assert.deepEqual(after, {
      ...before,
      title: 'Big lamp',
      modified: '2026-01-15T12:01:00',
      meta: Object.assign(Object.create(null), before.meta, { price: 6 }),
    })
    const bare = await store.update(before.id, { remove_meta: ['colour'] })
    assert.equal('colour' in (bare?.meta ?? {}), false)
  })

  behaves('a refused update changes nothing', async (store) => {
    const before = await store.insert(product('Lamp', { meta: { price: 5 } }))
    const change = { title: 'Other', meta: { price: 6 }, terms: { category: ['cellar'] } }
    await assert.rejects(store.update(before.id, change), { code: 'invalid_term' })
    assert.deepEqual(await store.get(before.id), before)
  })

  behaves(
    'the HTML of a caller without unfiltered_html is filtered in the written fields only',
    async (store, { become }) => {
      const { id } = await store.insert(product('A & B', { content: '<script>x</script><p onclick=1>P</p>' }))
      become(author)
      const changed = await store.update(id, { title: 'T & <u>u</u>' })
      assert.equal(changed?.title, 'T &amp; u')
      assert.equal(changed?.content, '<script>x</script><p onclick=1>P</p>')
      const own = await store.insert(product('T', { content: '<script>x</script><p onclick=1>P</p>' }))
      assert.equal(own.content, 'x<p>P</p>')
      assert.equal(own.author, 7)
    },
  )

  behaves('links are pretty for what the caller may read', async (store, { become }) => {
    const home = 'http://example.test'
    const link = async (status: string): Promise<{ id: number; link: string }> =>
      store.insert(product('Lamp', { status }))
    assert.equal((await link('publish')).link, `${home}/product/lamp/`)
    const draft = await link('draft')
    assert.equal(draft.link, `${home}/?post_type=product&p=${draft.id}`)
    const hidden = await link('private')
    assert.equal(hidden.link, `${home}/product/lamp-2/`)
    become(visitor)
    assert.equal((await store.get(hidden.id))?.link, `${home}/?post_type=product&p=${hidden.id}`)
  })

  behaves('what is deleted is gone with all that hangs on it', async (store) => {
    const shelf = await store.insert({ type: 'folder', status: 'publish', title: 'Shelf' })
    const box = await store.insert({ type: 'folder', status: 'publish', title: 'Box', parent: shelf.id })
    const inner = await store.insert({
      type: 'folder',
      status: 'publish',
      title: 'Inner',
      parent: box.id,
      meta: { k: 'v' },
    })
    assert.equal(inner.link, 'http://example.test/folder/shelf/box/inner/')
    assert.equal(await store.delete(box.id), true)
    assert.equal(await store.delete(box.id), false)
    assert.equal(await store.get(box.id), null)
    assert.equal((await store.get(inner.id))?.parent, shelf.id)

    const page = await store.insert({ type: 'page', status: 'publish', title: 'Page' })
    await store.update(page.id, { title: 'Changed' })
    const revisions = { type: 'revision', status: 'inherit', parent: page.id }
    assert.deepEqual(titles(await store.list(revisions)), ['Changed'])
    await store.delete(page.id)
    assert.equal(await store.count(revisions), 0)
  })

  behaves('a record cannot be its own ancestor', async (store) => {
    const outer = await store.insert({ type: 'folder', status: 'publish', title: 'Outer' })
    const inner = await store.insert({ type: 'folder', status: 'publish', title: 'Inner', parent: outer.id })
    assert.equal((await store.update(outer.id, { parent: inner.id }))?.parent, 0)
    assert.equal((await store.update(inner.id, { parent: inner.id }))?.parent, 0)
  })

  behaves('the trash gives up a slug, and gets it back', async (store) => {
    const old = await store.insert(product('Lamp'))
    assert.equal((await store.update(old.id, { status: 'trash' }))?.slug, 'lamp__trashed')
    const second = await store.insert(product('Lamp'))
    assert.equal(second.slug, 'lamp')
    assert.equal((await store.update(old.id, { status: 'publish' }))?.slug, 'lamp-2')
  })

  behaves('a scheduled record waits for its time', async (store) => {
    const planned = await store.insert(product('Soon', { date: '2026-01-15T13:00:00' }))
    assert.equal(planned.status, 'future')
    assert.equal(
      (await store.update(planned.id, { date: '2026-01-15 11:00', date_gmt: '2026-01-15 11:00' }))?.status,
      'publish',
    )
  })

  behaves('a known id is kept, and never given twice', async (store) => {
    assert.equal((await store.insert(product('Known', { id: 500 }))).id, 500)
    await assert.rejects(store.insert(product('Again', { id: 500 })), { code: 'invalid_post_id' })
    assert.ok((await store.insert(product('Next'))).id > 500)
  })
}
