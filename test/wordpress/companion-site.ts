import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AsRestRoute, inject, RecordStore, RestResponse, SiteOptions, Terms, type AnyRequest } from 'as-rest-route'
import { startService, type StartedService } from '../support/start-service.js'
import { startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

export const companionPlugin = fileURLToPath(new URL('../../wordpress/as-rest-route.php', import.meta.url))
/** A persistent object cache of WordPress. */
export const objectCache = fileURLToPath(new URL('../support/wordpress/object-cache.php', import.meta.url))

class Books {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly terms = inject(Terms),
    private readonly options = inject(SiteOptions),
  ) {}

  @AsRestRoute({ namespace: 'books/v1', route: '/books', permission: 'public', cache: 600 })
  async list() {
    const books = await this.records.list({ type: 'book', orderby: 'title', order: 'asc' })
    return new RestResponse(books.map(({ title }) => title))
  }

  @AsRestRoute({ namespace: 'books/v1', route: '/terms', method: 'POST', permission: 'public' })
  async add(request: AnyRequest) {
    const name = request.get_param('name')
    const { id } = await this.terms.create({ name: typeof name === 'string' ? name : 'Novels' })
    await this.options.set('blogdescription', 'Written here')
    return new RestResponse(id, 201)
  }
}

/** A plugin that registers books, notes which hooks have run, and fails for some titles. */
const books = `<?php
  add_action( 'init', function () { register_post_type( 'book', array( 'public' => true, 'show_in_rest' => true, 'taxonomies' => array( 'category' ) ) ); } );
  foreach ( array( 'user_register', 'profile_update', 'deleted_user', 'created_term', 'created_category', 'deleted_post', 'after_delete_post', 'clean_user_cache', 'clean_term_cache' ) as $hook )
    add_action( $hook, function ( ...$arguments ) { file_put_contents( WP_CONTENT_DIR . '/other-hooks.txt', current_filter() . ' ' . json_encode( $arguments ) . "\\n", FILE_APPEND ); }, 10, 3 );
  add_action( 'save_post_book', function ( $id, $post ) {
    if ( ! isset( $_GET['as_rest_route'] ) ) return;
    if ( $post->post_title === 'Throws' ) throw new Error( 'a hook of another plugin' );
    if ( $post->post_title === 'Dies' ) wp_die( 'a hook of another plugin' );
    if ( $post->post_title === 'Exits' ) exit;
  }, 20, 2 );
  add_action( 'clean_post_cache', function ( $id, $post ) { if ( isset( $_GET['as_rest_route'] ) && $post->post_title === 'Keeps' ) throw new Error( 'a hook of another plugin' ); }, 20, 2 );
  foreach ( array( 'save_post_book', 'save_post', 'wp_after_insert_post' ) as $hook )
    add_action( $hook, function ( $id, $post, $update ) { file_put_contents( WP_CONTENT_DIR . '/hooks.txt', current_filter() . " $id $post->post_title " . ( $update ? 'update' : 'insert' ) . "\\n", FILE_APPEND ); }, 10, 3 );`

/** A WordPress with the companion plugin, a persistent object cache and one book, and a service on its database. */
export interface CompanionSite {
  readonly site: WordPressSite
  readonly service: StartedService
  /** The id of the book `Emma`. */
  readonly book: number
  /** Starts a further service. @param companion the option of this name. */
  readonly start: (companion?: string | false) => Promise<StartedService>
  /** What PHP shows, by its object cache. */
  readonly atPhp: (expression: string, argument?: unknown) => Promise<unknown>
  /** The title of the book there. */
  readonly titleAtPhp: () => Promise<unknown>
  readonly close: () => Promise<void>
}

export async function openCompanionSite(): Promise<CompanionSite> {
  const site = await startWordPressSite({
    plugins: { 'books.php': books, 'as-rest-route.php': readFileSync(companionPlugin, 'utf8') },
  })
  try {
    return await servedSite(site)
  } catch (error) {
    await site.stop()
    throw error
  }
}

async function servedSite(site: WordPressSite): Promise<CompanionSite> {
  copyFileSync(objectCache, join(site.folder, 'wp-content/object-cache.php'))
  const book = Number(
    await site.php(
      "return wp_insert_post( array( 'post_type' => 'book', 'post_status' => 'publish', 'post_title' => 'Emma', 'meta_input' => array( 'pages' => 400 ) ) );",
    ),
  )
  const start = (companion?: string | false) =>
    startService([Books], {
      wordpress: { config: site.configPath, ...(companion !== undefined && { companion }) },
      record_types: {
        book: { public: true, taxonomies: ['category'], meta: { pages: { type: 'integer', default: 0 } } },
      },
    })
  const service = await start()
  // PHP tells this service of its writes, and fires its hooks for those of the service.
  writeFileSync(
    join(site.folder, 'wp-content/mu-plugins/address.php'),
    `<?php define( 'AS_REST_ROUTE_URL', '${service.url}' ); define( 'AS_REST_ROUTE_HOOKS', true );`,
  )
  const atPhp = async (expression: string, argument?: unknown) => site.php(`return ${expression};`, argument)
  return {
    site,
    service,
    book,
    start,
    atPhp,
    titleAtPhp: () => atPhp('get_post( $argument )->post_title', book),
    async close() {
      await service.close()
      await site.stop()
    },
  }
}

/** The codes of all lines of the log that have one. */
export const codesOf = ({ log }: StartedService): readonly unknown[] =>
  log.map(({ fields }) => fields['code']).filter((code) => code !== undefined)
