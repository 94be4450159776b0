import { requireString } from '../base/value-type.js'
import { phpTrim } from '../php/trim.js'
import { isUtf8 } from '../php/text.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import { isAssignableId } from '../database/id-limits.js'
import type { Storage, TermRow, TermRows } from '../database/storage.js'
import { RecordRejectedError } from './record.js'

/** A category, tag or other term, as an application sees it. */
export interface Term {
  readonly id: number
  readonly taxonomy: string
  readonly name: string
  readonly slug: string
  readonly description: string
  /** Id of the term above; 0 for none. */
  readonly parent: number
  /** How many published records have it. */
  readonly count: number
}

/** What `create` takes; undefined is as good as left out. */
export interface NewTerm {
  /** Default `category`. */
  readonly taxonomy?: string | undefined
  readonly name: string
  /** Default: made of the name. */
  readonly slug?: string | undefined
  readonly description?: string | undefined
  readonly parent?: number | undefined
  /** A known id to keep, for imports. One that another taxonomy has as well must have the same name and slug there. */
  readonly id?: number | undefined
}

const maxNameLength = 200

/**
 * The terms that group records: `constructor(private readonly terms = inject(Terms)) {}`. Slugs are unique within a
 * taxonomy.
 */
export class Terms {
  constructor(private readonly storage: Storage) {}

  /** By name. @throws TypeError for a taxonomy that is no text. */
  async list(taxonomy = 'category'): Promise<readonly Term[]> {
    requireString(taxonomy, 'The taxonomy of terms')
    return (await this.storage.terms.list(taxonomy)).map(termOf)
  }

  /** @throws TypeError for a slug or taxonomy that is no text. */
  async find(slug: string, taxonomy = 'category'): Promise<Term | null> {
    requireString(slug, 'The slug of a term')
    requireString(taxonomy, 'The taxonomy of a term')
    const row = await this.storage.terms.find(taxonomy, { slug })
    return row && termOf(row)
  }

  /**
   * @throws RecordRejectedError `empty_term_name`, `invalid_term_name`, `invalid_term_description`, `invalid_term_id`,
   * `missing_parent`, `term_exists`.
   */
  async create(term: NewTerm): Promise<Term> {
    const { taxonomy = 'category', description = '', parent = 0 } = term
    const name = phpTrim(term.name)
    if (name === '') throw new RecordRejectedError('empty_term_name', 'A name is required for this term.')
    if (!isUtf8(name) || [...name].length > maxNameLength)
      throw new RecordRejectedError(
        'invalid_term_name',
        'The name of a term must be valid text of at most 200 characters.',
      )
    if (!isUtf8(description))
      throw new RecordRejectedError('invalid_term_description', 'The description of a term must be valid text.')
    const wanted = sanitizeTitle(term.slug ?? name, 'save')
    return this.storage.transaction(async ({ terms }) => {
      const known = term.id === undefined ? {} : { term_id: await unusedId(term.id, taxonomy, terms) }
      if (parent !== 0 && (await terms.find(taxonomy, { id: parent })) === null)
        throw new RecordRejectedError('missing_parent', 'Parent term does not exist.')
      if (wanted !== '' && (await terms.find(taxonomy, { slug: wanted })) !== null)
        throw new RecordRejectedError('term_exists', 'A term with the name provided already exists in this taxonomy.')
      // The table takes an empty slug, but nobody could ask for such a term.
      const slug = wanted || (await unusedSlug('term', taxonomy, terms))
      const id = await terms.insert({ ...known, name, slug, taxonomy, description, parent })
      // An id that another taxonomy knows keeps the name and slug that it has there.
      const stored = await terms.find(taxonomy, { id })
      if (stored?.name !== name || stored.slug !== slug) throw takenId(id)
      return termOf(stored)
    })
  }
}

/** @throws RecordRejectedError */
async function unusedId(id: number, taxonomy: string, terms: TermRows): Promise<number> {
  if (!isAssignableId(id) || (await terms.find(taxonomy, { id })) !== null) throw takenId(id)
  return id
}

function takenId(id: number): RecordRejectedError {
  return new RecordRejectedError('invalid_term_id', `The id ${id} is taken or is no id.`)
}

/** The slug, or the first of `-2`, `-3`, … that no term has. */
async function unusedSlug(slug: string, taxonomy: string, terms: TermRows): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`
    if ((await terms.find(taxonomy, { slug: candidate })) === null) return candidate
  }
}

function termOf({ term_id: id, taxonomy, name, slug, description, parent, count }: TermRow): Term {
  return { id, taxonomy, name, slug, description, parent, count }
}
