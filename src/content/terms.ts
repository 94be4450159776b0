import { requireKnownFields } from '../base/known-fields.js'
import { requireNumber, requireString } from '../base/value-type.js'
import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { isUtf8 } from '../php/text.js'
import { storedDescription, storedName } from '../sanitizers/user-texts.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import { isAssignableId } from '../database/id-limits.js'
import { lockName, withoutNumber } from '../database/lock-name.js'
import type { Storage } from '../database/storage.js'
import type { TermRow, TermRows } from '../database/term-rows.js'
import { requireTaxonomy } from './declared-names.js'
import { DeclaredValues } from './declared-values.js'
import { firstFreeName } from './free-name.js'
import { ObjectMeta } from './object-meta.js'
import { RecordRejectedError } from './record.js'
import type { RecordTypes } from './record-types.js'
import type { DeclaredTermMeta, NewTermMeta, TaxonomyName } from './registered.js'

/** A category, tag or other term. */
export interface Term {
  readonly id: number
  readonly taxonomy: TaxonomyName
  readonly name: string
  readonly slug: string
  readonly description: string
  /** The id of its parent; 0 for none. */
  readonly parent: number
  /** The number of published records with this term. */
  readonly count: number
}

/** The argument of `create`. An undefined field has its default. */
export interface NewTerm {
  /** Default `category`. */
  readonly taxonomy?: TaxonomyName | undefined
  readonly name: string
  /** Default: a slug of the name. */
  readonly slug?: string | undefined
  readonly description?: string | undefined
  readonly parent?: number | undefined
  /**
   * The id of the new term, for imports. When another taxonomy has a term with this id, that term must have the same name
   * and slug. Default: the next id of the table.
   */
  readonly id?: number | undefined
}

/** Maximum length of a name, in characters. */
const maxNameLength = 200

const newFields: Readonly<Record<keyof NewTerm, true>> = {
  taxonomy: true,
  name: true,
  slug: true,
  description: true,
  parent: true,
  id: true,
}
const namesOfNew: ReadonlySet<string> = new Set(Object.keys(newFields))

/**
 * The categories, tags and other terms of a site. A handler class injects them:
 * `constructor(private readonly terms = inject(Terms)) {}`. Slugs are unique within a taxonomy.
 */
export class Terms {
  readonly #storage: Storage
  readonly #types: RecordTypes | null
  readonly #meta: ObjectMeta
  readonly #sharesTables: boolean

  /**
   * @param types the types that declare taxonomies; null: each taxonomy is allowed.
   * @param declared the metadata of terms.
   * @param sharesTables whether a WordPress has the same tables. Texts are then stored as it stores them, because its pages print
   *   them as they are.
   */
  constructor(
    storage: Storage,
    types: RecordTypes | null = null,
    declared = new DeclaredValues('term_meta'),
    sharesTables = false,
  ) {
    this.#sharesTables = sharesTables
    this.#meta = new ObjectMeta(declared, ({ terms }) => terms.meta)
    this.#storage = storage
    this.#types = types?.areOpen === true ? null : types
  }

  /**
   * The terms of a taxonomy, sorted by name.
   * @throws UndeclaredNameError for a taxonomy that no record type declares. @throws TypeError for a value that is not a string.
   */
  async list(taxonomy: TaxonomyName = 'category'): Promise<readonly Term[]> {
    requireString(taxonomy, 'The taxonomy of terms')
    this.#require(taxonomy)
    return (await this.#storage.terms.list(taxonomy)).map(termOf)
  }

  /**
   * @returns null when there is no such term.
   * @throws UndeclaredNameError for a taxonomy that no record type declares.
   * @throws TypeError for a slug or taxonomy that is not a string.
   */
  async find(slug: string, taxonomy: TaxonomyName = 'category'): Promise<Term | null> {
    requireString(slug, 'The slug of a term')
    requireString(taxonomy, 'The taxonomy of a term')
    this.#require(taxonomy)
    const row = await this.#storage.terms.find(taxonomy, { slug })
    return row && termOf(row)
  }

  /**
   * @throws RecordRejectedError `empty_term_name`, `invalid_term_name`, `invalid_term_description`, `invalid_term_id`,
   * `missing_parent`, `term_exists`.
   * @throws UndeclaredNameError for a taxonomy that no record type declares. @throws TypeError for a name that is not a string.
   */
  async create(term: NewTerm): Promise<Term> {
    const { term: created } = await this.#create(term, false)
    return created
  }

  /**
   * Creates a term unless its taxonomy has one with its slug. A name that makes no slug, such as `!`, is compared itself. Of several
   * calls at once, one creates the term.
   * @returns the term, and whether this call has created it.
   * @throws RecordRejectedError as `create`, without `term_exists`.
   */
  async findOrCreate(term: NewTerm): Promise<{ readonly term: Term; readonly created: boolean }> {
    return this.#create(term, true)
  }

  /** The metadata of a term that the option `term_meta` declares, with their types and defaults. */
  async getMeta(id: number): Promise<DeclaredTermMeta> {
    requireNumber(id, 'The id of a term')
    return (await this.#meta.read(id, this.#storage)) as DeclaredTermMeta
  }

  /**
   * Writes metadata of a term; null removes a value.
   * @throws UndeclaredNameError for a key that is not declared.
   * @throws RecordRejectedError `invalid_meta_value` for a value against its rules, `invalid_term` when there is no such term.
   */
  async setMeta(id: number, meta: NewTermMeta, taxonomy: TaxonomyName = 'category'): Promise<void> {
    requireNumber(id, 'The id of a term')
    this.#require(taxonomy)
    const write = this.#meta.prepared(meta)
    await this.#storage.write(async (storage) => {
      await storage.lock([lockName('term', id)])
      if ((await storage.terms.find(taxonomy, { id })) === null)
        throw new RecordRejectedError('invalid_term', `There is no ${taxonomy} with the id ${id}.`)
      await write(id, storage)
    })
  }

  #require(taxonomy: string): void {
    if (this.#types !== null) requireTaxonomy(taxonomy, this.#types)
  }

  /** @param orFind returns an existing term with this slug in place of an error. */
  async #create(term: NewTerm, orFind: boolean): Promise<{ readonly term: Term; readonly created: boolean }> {
    requireKnownFields(term, namesOfNew, 'A new term')
    const { taxonomy = 'category', parent = 0 } = term
    requireString(term.name, 'The name of a term')
    this.#require(taxonomy)
    const name = this.#sharesTables ? storedName(term.name) : phpTrim(term.name)
    if (name === '') throw new RecordRejectedError('empty_term_name', 'A name is required for this term.')
    if (!isUtf8(name) || [...name].length > maxNameLength)
      throw new RecordRejectedError(
        'invalid_term_name',
        'The name of a term must be valid text of at most 200 characters.',
      )
    if (!isUtf8(term.description ?? ''))
      throw new RecordRejectedError('invalid_term_description', 'The description of a term must be valid text.')
    const description = this.#sharesTables ? storedDescription(term.description ?? '') : (term.description ?? '')
    const sanitizedSlug = sanitizeTitle(term.slug ?? '', 'save')
    const hasSlug = toBoolean(sanitizedSlug)
    const requestedSlug = hasSlug ? sanitizedSlug : sanitizeTitle(name, 'save')
    return this.#storage.write(async (storage) => {
      const { terms } = storage
      await storage.lock([
        lockName('term', `${taxonomy}:${withoutNumber(requestedSlug || unnamedSlug)}`),
        ...(term.id === undefined ? [] : [lockName('term', term.id)]),
      ])
      const withoutSlug = (): Promise<TermRow | null> | null => (orFind ? terms.find(taxonomy, { name }) : null)
      const sameSlug = await (requestedSlug === '' ? withoutSlug() : terms.find(taxonomy, { slug: requestedSlug }))
      // WordPress refuses a second term with the name and the parent of another one, unless it has a slug of its own.
      const isNamed = this.#sharesTables && !hasSlug
      const existing = sameSlug ?? (isNamed ? await terms.find(taxonomy, { name, parent }) : null)
      if (existing !== null && orFind) return { term: termOf(existing), created: false }
      const idColumn = term.id === undefined ? {} : { term_id: await checkedId(term.id, taxonomy, terms) }
      if (parent !== 0 && (await terms.find(taxonomy, { id: parent })) === null)
        throw new RecordRejectedError('missing_parent', 'Parent term does not exist.')
      if (existing !== null)
        throw new RecordRejectedError('term_exists', 'A term with the name provided already exists in this taxonomy.')
      // The table accepts an empty slug, but a term without slug cannot be found.
      const slug = requestedSlug || (this.#sharesTables ? null : await slugWithoutName(taxonomy, storage))
      const id = await terms.insert({ ...idColumn, name, slug, taxonomy, description, parent })
      // Taxonomies share the row with name and slug. An id of another taxonomy keeps the name and slug of that row.
      const row = await terms.find(taxonomy, { id })
      if (row?.name !== name || row.slug !== (slug ?? String(id))) throw invalidIdError(id)
      return { term: termOf(row), created: true }
    })
  }
}

/** @throws RecordRejectedError when the id is invalid or a term of the taxonomy has it. */
async function checkedId(id: number, taxonomy: string, terms: TermRows): Promise<number> {
  if (!isAssignableId(id) || (await terms.find(taxonomy, { id })) !== null) throw invalidIdError(id)
  return id
}

function invalidIdError(id: number): RecordRejectedError {
  return new RecordRejectedError('invalid_term_id', `The id ${id} is invalid or already used.`)
}

/** The slug of the first term whose name makes no slug. */
const unnamedSlug = 'term'

/** The first free one of `term`, `term-2`, `term-3`, … */
async function slugWithoutName(taxonomy: string, storage: Storage): Promise<string> {
  const slugWith = (number: number): string => (number === 1 ? unnamedSlug : `${unnamedSlug}-${number}`)
  return firstFreeName(slugWith, 1, (slugs) => storage.terms.firstFreeSlug(taxonomy, slugs))
}

function termOf({ term_id: id, taxonomy, name, slug, description, parent, count }: TermRow): Term {
  return { id, taxonomy, name, slug, description, parent, count }
}
