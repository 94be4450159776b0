import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Storage } from '../../../src/database/storage.js'
import { aPost } from './rows.js'

export function termContract(storage: () => Storage): void {
  it('a term is read with its taxonomy', async () => {
    const { terms } = storage()
    const id = await terms.insert({
      name: 'Food',
      slug: 'food',
      taxonomy: 'category',
      description: 'To eat',
      parent: 0,
    })
    const child = await terms.insert({ name: 'Bread', slug: 'bread', taxonomy: 'category', parent: id })
    const food = await terms.find('category', { slug: 'FOOD' })
    assert.deepEqual(
      [food?.term_id, food?.name, food?.slug, food?.taxonomy, food?.description, food?.parent, food?.count],
      [id, 'Food', 'food', 'category', 'To eat', 0, 0],
    )
    assert.deepEqual(await terms.find('category', { id }), food)
    assert.equal((await terms.find('category', { id: child }))?.parent, id)
    assert.equal(await terms.find('post_tag', { id }), null)
    assert.equal(await terms.find('category', { slug: 'nothing' }), null)
  })

  it('a term is found by its name, letter for letter', async () => {
    const { terms } = storage()
    const insert = (name: string, slug: string, taxonomy = 'mark') => terms.insert({ name, slug, taxonomy })
    const question = await insert('???', 'term')
    const exclamation = await insert('!!!', 'term-2')
    await insert('!!!', 'term-3')
    await insert('¡', 'term-4', 'other')
    const long = '!'.repeat(195)
    await insert(`${long}?`, 'term-5')
    const longest = await insert(`${long}!`, 'term-6')
    const upper = await insert('ÄRGER', 'term-7')
    const lower = await insert('ärger', 'term-8')
    const idOf = async (name: string) => (await terms.find('mark', { name }))?.term_id ?? null
    assert.deepEqual(
      [await idOf('???'), await idOf('!!!'), await idOf(`${long}!`), await idOf('ÄRGER'), await idOf('ärger')],
      [question, exclamation, longest, upper, lower],
    )
    for (const name of ['!!', '!!! ', '¡', '%', long, 'arger', '']) assert.equal(await idOf(name), null, name)
  })

  it('a term keeps a given id, may join a second taxonomy, and is refused twice in one', async () => {
    const { terms } = storage()
    assert.equal(await terms.insert({ term_id: 500, name: 'Known', slug: 'known', taxonomy: 'category' }), 500)
    assert.equal(await terms.insert({ term_id: 500, name: 'Known', slug: 'known', taxonomy: 'post_tag' }), 500)
    await assert.rejects(terms.insert({ term_id: 500, name: 'Known', slug: 'known', taxonomy: 'post_tag' }), {
      fault: 'constraint',
    })
    assert.equal(await terms.delete('category', 500), true)
    assert.equal(await terms.find('category', { id: 500 }), null)
    assert.equal((await terms.find('post_tag', { id: 500 }))?.name, 'Known')
    assert.equal(await terms.delete('post_tag', 500), true)
    assert.equal(await terms.delete('post_tag', 500), false)
  })

  it('terms are listed by name', async () => {
    const { terms } = storage()
    for (const name of ['pear', 'Apple', 'Zebra', 'banana']) {
      await terms.insert({ name, slug: name.toLowerCase(), taxonomy: 'listed' })
    }
    assert.deepEqual(
      (await terms.list('listed')).map(({ name }) => name),
      ['Apple', 'banana', 'pear', 'Zebra'],
    )
    assert.deepEqual(await terms.list('nothing'), [])
  })

  it('the count of a term is its number of published posts after every change', async () => {
    const { posts, terms } = storage()
    const [red = 0, blue = 0] = await Promise.all(
      ['red', 'blue'].map((slug) => terms.insert({ name: slug, slug, taxonomy: 'color' })),
    )
    const tag = await terms.insert({ name: 'tag', slug: 'tag', taxonomy: 'other' })
    const counts = async (): Promise<number[]> => (await terms.list('color')).map(({ count }) => count)
    const published = await posts.insert(aPost())
    const draft = await posts.insert(aPost({ post_status: 'draft' }))
    await posts.setTerms(published, 'color', [red, blue, red, 999_999, tag])
    await posts.setTerms(published, 'other', [tag])
    await posts.setTerms(draft, 'color', [red])
    assert.deepEqual(await counts(), [1, 1], 'blue, red')
    assert.deepEqual(
      ((await posts.termsOf([published], ['color'])).get(published) ?? []).map(({ slug }) => slug),
      ['blue', 'red'],
    )
    await posts.update(draft, { post_status: 'publish' })
    assert.deepEqual(await counts(), [1, 2])
    await posts.setTerms(published, 'color', [blue])
    assert.deepEqual(await counts(), [1, 1])
    await posts.update(published, { post_status: 'draft' })
    assert.deepEqual(await counts(), [0, 1])
    await posts.setTerms(draft, 'color', [])
    assert.deepEqual(await counts(), [0, 0])
    assert.deepEqual(
      ((await posts.termsOf([published], ['other'])).get(published) ?? []).map(({ slug }) => slug),
      ['tag'],
      'other taxonomies stay',
    )
  })

  it('the terms of several posts and taxonomies are read together, by name', async () => {
    const { posts, terms } = storage()
    const termOf = (name: string, taxonomy: string): Promise<number> => terms.insert({ name, slug: name, taxonomy })
    const [red, blue, heavy] = [
      await termOf('red', 'hue'),
      await termOf('blue', 'hue'),
      await termOf('heavy', 'weight'),
    ]
    const [first, second, none] = [
      await posts.insert(aPost()),
      await posts.insert(aPost()),
      await posts.insert(aPost()),
    ]
    await posts.setTerms(first, 'hue', [red, blue])
    await posts.setTerms(first, 'weight', [heavy])
    await posts.setTerms(second, 'hue', [red])
    const namesOf = async (ids: readonly number[], taxonomies: readonly string[]) =>
      [...(await posts.termsOf(ids, taxonomies))].map(([id, list]) => [id, list.map(({ name }) => name)] as const)
    const all = new Map(await namesOf([first, second, none, 999_999], ['hue', 'weight']))
    assert.deepEqual(
      all,
      new Map([
        [first, ['blue', 'heavy', 'red']],
        [second, ['red']],
      ]),
    )
    assert.deepEqual(await namesOf([second, first], ['weight']), [[first, ['heavy']]])
    assert.deepEqual([await namesOf([], ['hue']), await namesOf([first], [])], [[], []])
    const rows = await terms.findMany('hue', [blue, heavy, 999_999, red])
    assert.deepEqual(
      rows.map(({ term_id }) => term_id).toSorted((left, right) => left - right),
      [red, blue],
    )
    assert.deepEqual(await terms.findMany('hue', []), [])
  })

  it('deleting a term removes it from its posts and gives its children its parent', async () => {
    const { posts, terms } = storage()
    const top = await terms.insert({ name: 'top', slug: 'top', taxonomy: 'tree' })
    const middle = await terms.insert({ name: 'middle', slug: 'middle', taxonomy: 'tree', parent: top })
    const leaf = await terms.insert({ name: 'leaf', slug: 'leaf', taxonomy: 'tree', parent: middle })
    const post = await posts.insert(aPost())
    await posts.setTerms(post, 'tree', [middle, leaf])
    assert.equal(await terms.delete('tree', middle), true)
    assert.deepEqual(
      ((await posts.termsOf([post], ['tree'])).get(post) ?? []).map(({ slug }) => slug),
      ['leaf'],
    )
    assert.equal((await terms.find('tree', { id: leaf }))?.parent, top)
  })

  it('the first free slug is one that no term of the taxonomy has', async () => {
    const { terms } = storage()
    for (const [slug, taxonomy] of [
      ['unnamed', 'shape'],
      ['Unnamed-2', 'shape'],
      ['unnamed-3', 'size'],
    ] as const)
      await terms.insert({ name: slug, slug, taxonomy })
    const slugs = ['unnamed', 'unnamed-2', 'unnamed-3', 'unnamed-4']
    assert.equal(await terms.firstFreeSlug('shape', slugs), 'unnamed-3')
    assert.equal(await terms.firstFreeSlug('size', slugs), 'unnamed')
    assert.equal(await terms.firstFreeSlug('shape', ['UNNAMED']), null)
    const many = Array.from({ length: 2000 }, (_, index) => `unnamed-${index + 2}`)
    assert.equal(await terms.firstFreeSlug('shape', many), 'unnamed-3')
  })
}
