import { keyOfSelection, type PostRow, type Storage } from '../database/storage.js'

export type PostFacts = Pick<PostRow, 'ID' | 'post_author' | 'post_parent' | 'post_status' | 'post_type'>

const facts = { columns: ['post_author', 'post_parent', 'post_status', 'post_type'], metaKeys: [] } as const
const factsSelection = { ...facts, key: keyOfSelection(facts) }

/** Ids of the pages that the options of the site name; 0 for none. */
export interface SpecialPages {
  readonly frontPage: number
  readonly postsPage: number
  readonly privacyPage: number
}

/** Reads the data that capabilities over one record or user depend on. */
export interface CapabilityLookup {
  readonly types: RecordTypeLookup
  post(id: number): Promise<PostFacts | null>
  /** The status that a record in the trash had before; `''` when it is unknown. */
  statusBeforeTrash(postId: number): Promise<string>
  specialPages(): Promise<SpecialPages>
  userExists(id: number): Promise<boolean>
  /** Whether metadata with this key may be written; `null` when the key has no registered rule. */
  metadataAllowed?(recordType: string, key: string): boolean | null
}

/** The settings of a record type for capabilities. */
export interface TypeCapabilities {
  readonly name: string
  /** The stem of the capabilities: `post` gives `edit_posts`. */
  readonly capability_type: string
  /** Whether `edit_post` on a record of the type depends on its author and status. */
  readonly map_meta_cap: boolean
}

export interface RecordTypeLookup {
  get(name: string): TypeCapabilities | null
  all(): Iterable<TypeCapabilities>
}

/** A lookup that reads the database. */
export function storedLookup(storage: Storage, types: RecordTypeLookup): CapabilityLookup {
  return {
    types,
    async post(id) {
      const { rows } = await storage.posts.findWithMeta([id], factsSelection)
      return rows[0]?.post ?? null
    },
    async statusBeforeTrash(postId) {
      const [status] = await storage.posts.meta.read(postId, '_wp_trash_meta_status')
      return status ?? ''
    },
    async specialPages() {
      const names = ['page_on_front', 'page_for_posts', 'wp_page_for_privacy_policy']
      const options = await storage.options.readMany(names)
      const [frontPage = 0, postsPage = 0, privacyPage = 0] = names.map((name) => Number(options.get(name) ?? 0) || 0)
      return { frontPage, postsPage, privacyPage }
    },
    async userExists(id) {
      return (await storage.users.find({ id })) !== null
    },
  }
}
