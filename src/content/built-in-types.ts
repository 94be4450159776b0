import type { RecordType } from './record-type.js'

/** The features of a type whose declaration has no `supports`. */
export const defaultSupports = ['title', 'editor'] as const

const common = {
  taxonomies: null,
  with_front: true,
  capability_type: 'post',
  map_meta_cap: true,
  statuses: new Set<string>(),
  declaresMeta: false,
  meta: new Map(),
  afterCommit: null,
} as const

const articleSupports = ['title', 'editor', 'author', 'thumbnail', 'custom-fields', 'comments', 'revisions']

/** WordPress's own types. `permalinks.ts` has the forms of their permalinks. */
export const builtInTypes: readonly RecordType[] = [
  {
    ...common,
    name: 'post',
    public: true,
    hierarchical: false,
    supports: new Set([...articleSupports, 'excerpt', 'trackbacks', 'post-formats']),
    permalink: null,
  },
  {
    ...common,
    name: 'page',
    public: true,
    hierarchical: true,
    supports: new Set([...articleSupports, 'page-attributes']),
    permalink: null,
    capability_type: 'page',
  },
  {
    ...common,
    name: 'attachment',
    public: true,
    hierarchical: false,
    supports: new Set(['title', 'author', 'comments']),
    permalink: null,
  },
  {
    ...common,
    name: 'revision',
    public: false,
    hierarchical: false,
    supports: new Set(['author']),
    permalink: null,
  },
]

const names = new Set(builtInTypes.map(({ name }) => name))

/** Whether a type is one of WordPress's own. Their plain permalinks contain an id: `?p=5`, not `?post=lamp`. */
export function isBuiltIn(name: string): boolean {
  return names.has(name)
}
