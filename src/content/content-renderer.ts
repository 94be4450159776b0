import { readContent, type RenderedFields } from './php-only-parts.js'
import type { Site } from './site.js'

/** The `db_version` of WordPress 7.0, the first that gives blocks of paragraphs a class. */
const firstWithParagraphClass = 61_833

/**
 * Renders the contents of records as WordPress does without plugins. A handler class injects it:
 * `constructor(private readonly renderer = inject(ContentRenderer)) {}`.
 */
export class ContentRenderer {
  readonly #site: Pick<Site, 'dbVersion'>

  /** @param site its version of WordPress decides on the classes of blocks. */
  constructor(site: Pick<Site, 'dbVersion'>) {
    this.#site = site
  }

  /**
   * The HTML is that of the author, scripts in attributes included: contents are filtered when they are stored, for authors
   * without the capability `unfiltered_html`.
   * @param record its content may be protected: see `request.requiresPassword`.
   * @returns the same HTML as `content.rendered` in WordPress's REST API, but for filters of plugins and themes on
   *   `the_content` and blocks that they hook into others. Null when only PHP renders the content: `phpOnlyParts` says why.
   */
  render(record: RenderedFields): string | null {
    const { html, parts } = readContent(record, this.#site.dbVersion >= firstWithParagraphClass)
    return parts.length === 0 ? html : null
  }
}
