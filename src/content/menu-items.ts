import type { PostQuery, PostRow } from '../database/storage.js'
import { entriesOf } from '../php/array-shape.js'
import { toInteger } from '../php/cast.js'
import { maybeUnserialize } from '../php/serialize.js'
import { deleteRecord } from './delete-record.js'
import type { WriteContext } from './write-context.js'
import { insertRecord } from './write-record.js'

/** Maximum number of items of one menu, and of items that are deleted with a record. */
const maxMenuItems = 1000

/** Adds a page without a parent that is now published to each menu that takes new pages by itself. */
export async function addToMenus(row: PostRow, old: PostRow | null, context: WriteContext): Promise<void> {
  const becomesPublic = row.post_status === 'publish' && old?.post_status !== 'publish'
  if (row.post_type !== 'page' || !becomesPublic || row.post_parent !== 0) return
  const settings = await context.storage.options.read('nav_menu_options')
  for (const menu of menusIn(settings)) await addToMenu(menu, row.ID, context)
}

/** The menus under `auto_add`. */
function menusIn(settings: string | null): readonly number[] {
  const value = maybeUnserialize(settings)
  const [, menus] = isPhpArray(value) ? (entriesOf(value).find(([name]) => name === 'auto_add') ?? []) : []
  return isPhpArray(menus) ? entriesOf(menus).map(([, menu]) => toInteger(menu)) : []
}

const isPhpArray = (value: unknown): value is object => typeof value === 'object' && value !== null

async function addToMenu(menu: number, page: number, context: WriteContext): Promise<void> {
  const term = await context.storage.terms.find('nav_menu', { id: menu })
  if (term === null) return
  const objects = term.count > 0 ? await shownObjects(menu, context) : []
  if (objects.includes(page)) return
  const item = {
    type: 'nav_menu_item',
    status: 'publish',
    // As in WordPress, which inserts no record without a text. An item without a title shows that of its page.
    content: ' ',
    menu_order: objects.length === 0 ? 0 : objects.length + 1,
    meta: {
      _menu_item_type: 'post_type',
      _menu_item_menu_item_parent: '0',
      _menu_item_object_id: String(page),
      _menu_item_object: 'page',
      _menu_item_target: '',
      _menu_item_classes: [''],
      _menu_item_xfn: '',
      _menu_item_url: '',
    },
  }
  const { post } = await insertRecord(item, context)
  await context.storage.posts.setTerms(post.ID, 'nav_menu', [menu])
}

const objectKeys = ['_menu_item_object_id', '_menu_item_type', '_menu_item_object'] as const

/** The ids of what the items of a menu lead to, without items whose record or term is gone or in the trash. */
async function shownObjects(menu: number, { storage: { posts, terms } }: WriteContext): Promise<readonly number[]> {
  const query: PostQuery = {
    types: ['nav_menu_item'],
    statuses: ['publish', 'draft'],
    terms: { taxonomy: 'nav_menu', compare: 'in', by: 'id', values: [menu], includesChildren: false },
    order: [{ by: 'menu_order', direction: 'asc' }],
    limit: maxMenuItems,
    offset: 0,
  }
  const { rows } = await posts.list(query, { columns: ['ID'], metaKeys: objectKeys })
  const items = rows.map(({ meta }) => {
    const [id, kind, name] = objectKeys.map((key) => meta.find((entry) => entry.key === key)?.value ?? '')
    return { id: toInteger(id), kind, name: name ?? '' }
  })
  const idsOf = (kind: string, name?: string): number[] =>
    items.filter((item) => item.kind === kind && (name ?? item.name) === item.name).map(({ id }) => id)
  const targets = await posts.findWithMeta(idsOf('post_type'), { columns: ['ID', 'post_status'], metaKeys: [] })
  const shown = new Set(
    targets.rows.filter(({ post }) => post.post_status !== 'trash').map(({ post }) => `post ${post.ID}`),
  )
  for (const taxonomy of new Set(items.filter(({ kind }) => kind === 'taxonomy').map(({ name }) => name)))
    for (const term of await terms.findMany(taxonomy, idsOf('taxonomy', taxonomy)))
      shown.add(`${taxonomy} ${term.term_id}`)
  const isShown = ({ id, kind, name }: (typeof items)[0]): boolean => {
    if (kind === 'post_type') return shown.has(`post ${id}`)
    return kind !== 'taxonomy' || shown.has(`${name} ${id}`)
  }
  return items.filter(isShown).map(({ id }) => id)
}

/** Deletes the items of menus that lead to a record, which is deleted itself. */
export async function deleteMenuItems({ ID: id, post_type }: PostRow, context: WriteContext): Promise<void> {
  if (post_type === 'nav_menu_item') return
  const { posts } = context.storage
  for (const item of await posts.meta.ownersOf('_menu_item_object_id', String(id), maxMenuItems)) {
    const row = await posts.find(item)
    const [kind] = await posts.meta.read(item, '_menu_item_type')
    if (row?.post_type === 'nav_menu_item' && kind === 'post_type') await deleteRecord(row, context)
  }
}
