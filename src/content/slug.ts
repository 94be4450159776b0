import { toBoolean } from '../php/cast.js'
import type { Storage } from '../database/storage.js'
import type { RecordTypes } from './record-types.js'

/** The longest slug the table takes. */
export const maxSlugLength = 200

/** Names of feeds, and the address at which other sites embed a record. */
const reserved = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed'])

interface SlugQuestion {
  readonly slug: string
  readonly type: string
  readonly status: string
  readonly parent: number
  /** The record that wants the slug; 0 for a new one. */
  readonly id: number
  /** The slug it has now; empty for a new one. */
  readonly ownSlug: string
  /** False when it is known that no other record, of whatever type, has this slug. */
  readonly isUsed: boolean
}

/** What uniqueness depends on. `storage` is that of the write transaction, so that no other writer takes the slug. */
export interface SlugContext {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly permalinkStructure: string
}

/**
 * The slug itself when the record may have it, else with the first free of `-2`, `-3`, … Drafts may share slugs.
 * Flat types have them to themselves, hierarchical ones share them with attachments below one parent, attachments
 * share with everybody. Rules: docs/wire.md#slugs.
 */
export async function uniqueSlug(question: SlugQuestion, context: SlugContext): Promise<string> {
  const { slug, type, status, isUsed } = question
  if (['draft', 'pending', 'auto-draft'].includes(status) || (type === 'revision' && status === 'inherit')) return slug
  if (!isReserved(question, context) && !(isUsed && (await isTaken(slug, question, context)))) return slug
  return firstFree(
    (number) => {
      const suffix = `-${number}`
      return shortened(slug, maxSlugLength - suffix.length) + suffix
    },
    (candidate) => isTaken(candidate, question, context),
  )
}

/** How many numbers are tried one by one, so that gaps which deleted records left are filled again. */
const nearby = 100

/** Beyond the nearby numbers it searches by halves: a thousand records of one title must not mean a thousand questions. */
async function firstFree(
  candidate: (number: number) => string,
  taken: (slug: string) => Promise<boolean>,
): Promise<string> {
  for (let number = 2; number <= nearby; number += 1) if (!(await taken(candidate(number)))) return candidate(number)
  let used = nearby
  let free = nearby * 2
  while (await taken(candidate(free))) [used, free] = [free, free * 2]
  while (free - used > 1) {
    const middle = Math.floor((used + free) / 2)
    if (await taken(candidate(middle))) used = middle
    else free = middle
  }
  return candidate(free)
}

async function isTaken(
  slug: string,
  { type, parent, id }: SlugQuestion,
  { storage, types }: SlugContext,
): Promise<boolean> {
  // WordPress asks for the slug that is found, and `0` counts as nothing.
  if (!toBoolean(slug)) return false
  const question = { slug, exceptId: id }
  if (type === 'attachment') return storage.posts.slugTaken({ ...question, types: types.all().map(({ name }) => name) })
  if (types.get(type)?.hierarchical === true)
    return storage.posts.slugTaken({ ...question, types: [type, 'attachment'], parent })
  return storage.posts.slugTaken({ ...question, types: [type] })
}

function isReserved({ slug, type, ownSlug }: SlugQuestion, { types, permalinkStructure }: SlugContext): boolean {
  if (reserved.has(slug)) return true
  if (types.get(type)?.hierarchical === true) return /^(page)?\d+$/.test(slug)
  return type === 'post' && slug !== ownSlug && /^\d+$/.test(slug) && readsAsDate(Number(slug), permalinkStructure)
}

/** A number as the slug of a post would be taken for a page, a month or a day where the structure has it. */
function readsAsDate(number: number, permalinkStructure: string): boolean {
  if (number === 0) return false
  const segments = permalinkStructure.split('/').filter((segment) => segment !== '')
  const place = segments.indexOf('%postname%')
  if (place === 0) return true
  const before = segments[place - 1]
  return (before === '%year%' && number < 13) || (before === '%monthnum%' && number < 32)
}

/** At most `length` characters of a slug: a percent-encoded character stays whole, and no `-` ends it. */
export function shortened(slug: string, length: number): string {
  let end = 0
  for (const [character] of slug.matchAll(/(?:%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){0,3}|.)/gis)) {
    if (end + character.length > length) break
    end += character.length
  }
  while (slug[end - 1] === '-') end -= 1
  return slug.slice(0, end)
}
