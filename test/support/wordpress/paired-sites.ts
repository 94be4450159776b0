import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { resolveOptions } from '../../../src/app/resolve-options.js'
import { openStorage } from '../../../src/app/stores.js'
import type { RecordTypeDeclarations } from '../../../src/content/record-types.js'
import type { OpenedStorage } from '../../../src/database/store-adapter.js'
import { startService, type StartedService } from '../start-service.js'
import { comparableRows, differingRows } from './comparable-rows.js'
import { startWordPressSite, type WordPressSite } from './wordpress-site.js'

/** Two equal sites: PHP writes into one, and the service into the other. */
export interface PairedSites {
  readonly php: WordPressSite
  readonly other: WordPressSite
  /** Serves the shop on the database of `other`. */
  readonly service: StartedService
  /** That of the service, for what its handlers inject. */
  readonly storage: OpenedStorage
  /** Compares all rows of both sites. */
  compare(): Promise<void>
  /** Does the same at both, and compares all rows. @param code of PHP. @param argument its `$argument`. */
  same(code: string, here: () => Promise<unknown>, argument?: unknown): Promise<void>
}

/**
 * The sites of a suite: started before its tests and stopped after them. Its members are there when a test runs.
 * @param plugin a further plugin of both. @param setup code of PHP that both run before the service starts. @param types further ones of
 * the service, which the plugin registers.
 */
export function pairedSites({
  plugin = '<?php',
  setup = '',
  types = {},
}: { readonly plugin?: string; readonly setup?: string; readonly types?: RecordTypeDeclarations } = {}): PairedSites {
  const sites = {} as { -readonly [Name in keyof PairedSites]: PairedSites[Name] }
  const stops: (() => Promise<void>)[] = []
  before(async () => {
    const site = async (): Promise<WordPressSite> => {
      const started = await startWordPressSite({ plugins: { 'books.php': books, 'further.php': plugin } })
      stops.push(() => started.stop())
      if (setup !== '') await started.php(setup)
      return started
    }
    const [php, other] = await Promise.all([site(), site()])
    const service = await startService(new URL('../../../examples/shop/app/', import.meta.url), {
      wordpress: { config: other.configPath },
      record_types: { ...record_types, ...types },
    })
    stops.push(() => service.close())
    const resolved = resolveOptions({ wordpress: { config: other.configPath } }, { file: null, options: {} })
    const storage = await openStorage(resolved.options, 'change')
    stops.push(() => storage.close())
    const compare = async (): Promise<void> => {
      const ours = comparableRows(await other.dump(), other.url)
      const theirs = comparableRows(await php.dump(), php.url)
      assert.deepEqual(differingRows(ours, theirs), [])
    }
    const same: PairedSites['same'] = async (code, here, argument) => {
      await php.php(code, argument)
      await here()
      await compare()
    }
    Object.assign(sites, { php, other, service, storage, compare, same })
  })
  // Also what had started before another part failed to.
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  return sites
}

const books = `<?php add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'hierarchical' => true, 'supports' => array( 'title', 'editor', 'excerpt', 'revisions', 'page-attributes' ) ) ); register_post_type( 'note', array( 'public' => true, 'supports' => array( 'title', 'editor', 'author' ) ) ); } );
// WordPress calls wp_delete_link() of this file in the REST API, and does not load it.
add_action( 'rest_api_init', function () { require_once ABSPATH . 'wp-admin/includes/bookmark.php'; } );`

const record_types = {
  product: {
    public: true,
    supports: ['title', 'editor', 'excerpt'],
    taxonomies: ['category'],
    meta: {
      price: { type: 'number', default: 0 },
      total_sales: { type: 'integer', default: 0 },
      sizes: { type: 'array' },
    },
  },
  book: { public: true, hierarchical: true, supports: ['title', 'editor', 'excerpt', 'revisions'] },
  note: { public: true, supports: ['title', 'editor', 'author'] },
} as const
