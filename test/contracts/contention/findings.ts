import { applicationPasswordsKey, parseApplicationPasswords } from '../../../src/auth/stored-application-passwords.js'
import type { PostRow, Storage } from '../../../src/database/storage.js'
import type { Acknowledged } from './client.js'

/** What the clients left behind against the rules; empty when all holds. */
export async function contentionFindings(
  storage: Storage,
  keeper: number,
  acknowledged: readonly Acknowledged[],
): Promise<readonly string[]> {
  const faults = acknowledged.flatMap((own) => own.faults)
  return [
    ...faults.slice(0, 20),
    ...(faults.length > 20 ? [`${faults.length} errors`] : []),
    ...(await ofRecords(storage, acknowledged)),
    ...(await ofUsers(storage, acknowledged)),
    ...(await ofCounters(storage, keeper, acknowledged)),
  ]
}

const inOrder = [{ by: 'id', direction: 'asc' }] as const

async function ofRecords(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const { rows } = await storage.posts.list({ types: ['lamp', 'folder'], order: inOrder, limit: 10_000, offset: 0 })
  const posts = rows.map(({ post }) => post)
  const ids = new Set(posts.map(({ ID }) => ID))
  const created = acknowledged.flatMap((own) => own.created)
  const deleted = acknowledged.flatMap((own) => own.deleted)
  const orphans = await Promise.all(deleted.slice(0, 500).map(async (id) => (await storage.posts.meta.all(id)).length))
  return [
    // Deleting the parent of a folder moves it, and its slug stays, as in WordPress.
    ...duplicates(
      'slug',
      posts.filter((post) => post.post_type === 'lamp' && !hasLeftItsSlug(post)).map(({ post_name }) => post_name),
    ),
    ...duplicates('deleted record', deleted.map(String)),
    ...created.filter((id) => !ids.has(id) && !deleted.includes(id)).map((id) => `record ${id} is lost`),
    ...deleted.filter((id) => ids.has(id)).map((id) => `record ${id} is there again`),
    ...(ids.size + deleted.length === created.length
      ? []
      : [`${ids.size} records of ${created.length} created, ${deleted.length} deleted`]),
    ...(orphans.some((count) => count > 0) ? ['a deleted record has metadata'] : []),
    ...posts.filter((post) => isInCycle(post, posts)).map(({ ID }) => `record ${ID} is below itself`),
    ...(await ofCounts(storage)),
  ]
}

/**
 * Whether the record is in the trash under a name such as `oak__trashed`. As in WordPress, several records in the trash may have the
 * same such name. A record that leaves the trash gets a slug that no other record has.
 */
const hasLeftItsSlug = ({ post_status, post_name }: PostRow): boolean =>
  post_status === 'trash' && post_name.endsWith('__trashed')

function isInCycle(post: PostRow, posts: readonly PostRow[]): boolean {
  let { post_parent: parent } = post
  for (let steps = 0; parent !== 0 && steps <= posts.length; steps += 1) {
    if (parent === post.ID) return true
    parent = posts.find(({ ID }) => ID === parent)?.post_parent ?? 0
  }
  return false
}

async function ofCounts(storage: Storage): Promise<string[]> {
  const terms = await storage.terms.list('category')
  const counted = terms.map(async ({ slug, count }) => {
    const query = { term: { taxonomy: 'category', slug }, statuses: ['publish'], order: [], limit: 1, offset: 0 }
    const related = await storage.posts.count(query)
    return count === related ? [] : [`the category ${slug} counts ${count} records and has ${related}`]
  })
  return (await Promise.all(counted)).flat()
}

async function ofUsers(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const users = (await storage.users.list({ limit: 10_000, offset: 0 })).map(({ user }) => user)
  const created = acknowledged.flatMap((own) => own.users.created).length
  const deleted = acknowledged.flatMap((own) => own.users.deleted).length
  return [
    ...(['user_login', 'user_email', 'user_nicename'] as const).flatMap((column) =>
      duplicates(
        column,
        users.map((user) => user[column].toLowerCase()),
      ),
    ),
    // The keeper is there from the beginning.
    ...(users.length - 1 + deleted === created
      ? []
      : [`${users.length - 1} users of ${created} created, ${deleted} deleted`]),
  ]
}

async function ofCounters(storage: Storage, keeper: number, acknowledged: readonly Acknowledged[]): Promise<string[]> {
  const { meta } = storage.users
  const [metadata = null, ...others] = await meta.read(keeper, 'raised')
  const [passwords = null] = await meta.read(keeper, applicationPasswordsKey)
  const stored = {
    metadata: Number(metadata),
    option: Number(await storage.options.read('raised')),
    password: parseApplicationPasswords(passwords).length,
  }
  const sums = Object.keys(stored) as (keyof typeof stored)[]
  return [
    ...(others.length > 0 ? [`a counter has ${others.length + 1} rows`] : []),
    ...sums.flatMap((name) => {
      const sum = acknowledged.reduce((total, { raised }) => total + raised[name], 0)
      return sum === stored[name] ? [] : [`the ${name} counter was raised ${sum} times and is ${stored[name]}`]
    }),
  ]
}

const duplicates = (what: string, values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index).map((value) => `${what} twice: ${value}`)
