import assert from 'node:assert/strict'
import { resolveOptions } from '../../../src/app/resolve-options.js'
import { openStorage } from '../../../src/app/stores.js'
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
  stop(): Promise<void>
}

export async function startPairedSites(): Promise<PairedSites> {
  const plugin = `<?php add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'hierarchical' => true, 'supports' => array( 'title', 'editor', 'excerpt', 'revisions', 'page-attributes' ) ) ); } );`
  const plugins = { 'books.php': plugin }
  const [php, other] = await Promise.all([startWordPressSite({ plugins }), startWordPressSite({ plugins })])
  const service = await startService(new URL('../../../examples/shop/app/', import.meta.url), {
    wordpress: { config: other.configPath },
    record_types: {
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
    },
  })
  const resolved = resolveOptions({ wordpress: { config: other.configPath } }, { file: null, options: {} })
  const storage = await openStorage(resolved.options, 'change')
  const compare = async () => {
    const ours = comparableRows(await other.dump(), other.url)
    const theirs = comparableRows(await php.dump(), php.url)
    assert.deepEqual(differingRows(ours, theirs), [])
  }
  return {
    php,
    other,
    service,
    storage,
    compare,
    async same(code, here, argument) {
      await php.php(code, argument)
      await here()
      await compare()
    },
    async stop() {
      await storage.close()
      await service.close()
      await php.stop()
      await other.stop()
    },
  }
}
