import type { RecordTypeDeclarations } from '../content/record-types.js'
import type { RoleDeclarations } from '../auth/declared-roles.js'
import type { SanitizeCallback } from '../validation/rules.js'
import type { RecordStore } from '../content/record-store.js'
import type { Terms } from '../content/terms.js'
import type { Users } from '../content/users.js'
import type { Log } from '../log/log.js'
import type { Provider } from './provider.js'

/** What a new database is filled with. */
export interface SeedTools {
  readonly records: RecordStore
  readonly terms: Terms
  readonly users: Users
  readonly log: Log
}

/** `production` unless said; `local` lets application passwords travel over plain HTTP. */
export type Environment = 'production' | 'staging' | 'development' | 'local'

/** What an application tells `boot`. Every option has a default; an unknown one stops the start. */
export interface BootOptions {
  /** What the path of every route begins with: a segment, or several (`api/rest`), without slashes around. Default `wp-json`. */
  readonly rest_prefix?: string
  /**
   * What a route without a `permission` asks of its caller: a capability, or null for "any logged-in user".
   * Default `edit_posts`.
   */
  readonly rest_default_capability?: string | null
  /** Absolute address of the site, without a trailing slash: what links begin with. Default: the address listened on. */
  readonly base_url?: string
  /**
   * `sqlite:` and a path, or `sqlite::memory:`. What code or `--database` says wins, then `DATABASE_URL`, then the
   * configuration file. Default: `sqlite:data/site.sqlite`.
   */
  readonly database?: string
  /** SQLite's durability: `FULL` survives power loss (default), `NORMAL` only a crash of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** Prefix of the table names. Default `wp_`. */
  readonly table_prefix?: string
  /**
   * Pairs of contract and implementation: `[[ViewEngineInterface, TwigViews]]`. What stands for `ViewEngineInterface` or
   * `RecordStore` is compared with it, by the compiler and by the start.
   */
  readonly provide?: readonly Provider[]
  /** Sanitisers of the application's own, by the name that `sanitize_callback` uses. */
  readonly sanitizers?: Readonly<Record<string, SanitizeCallback>>
  /** Record types besides `post` and `page`, with the types of their metadata. */
  readonly record_types?: RecordTypeDeclarations
  /**
   * Roles of the application's own, and capabilities that stored roles have besides, by the name of the role:
   * `{ administrator: { capabilities: ['edit_books'] } }`. They count while the service runs; the database keeps its own.
   */
  readonly roles?: RoleDeclarations
  /** Origins that browsers may call from. Default `'any'`: every origin is echoed with credentials, as WordPress does. */
  readonly cors?: 'any' | readonly string[]
  /** Addresses (or CIDR ranges) of proxies whose `X-Forwarded-*` headers count. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /** Default `production`. */
  readonly environment?: Environment
  /** Folder of the view templates. Default: `views` beside the configuration, if there is one. */
  readonly views?: string | URL
  /** Folder of files served as they are, below `/`. Default: `public` beside the configuration, if there is one. */
  readonly public?: string | URL
  /**
   * `fast` (default): simple requests are read without `node:http`, which halves the time of a small one. `node`: all
   * requests are read by `node:http`. The responses are the same.
   */
  readonly http?: 'fast' | 'node'
  /** Largest request body in bytes. Default 1 MiB (1,048,576). */
  readonly body_limit?: number
  /**
   * Memory for the responses of routes that declare `cache`, in bytes; one response gets an eighth. 0 switches caching
   * off: the handler runs for each request, and responses have no headers for other caches. Default 64 MiB.
   */
  readonly cache_bytes?: number
  /** Name and description of the site, written into a database that this start creates. */
  readonly site?: {
    readonly name?: string
    readonly description?: string
    /** A zone of the IANA data base (`Europe/Berlin`), `UTC`, or an offset (`+02:00`). Default UTC. */
    readonly timezone?: string
    /**
     * Path of a post, with WordPress's tags: `/%year%/%monthnum%/%postname%/`, also `%day%`, `%hour%`, `%minute%`,
     * `%second%`, `%post_id%`, `%author%` and `%category%`; `''` for plain links (`/?p=5`). Default `/%postname%/`.
     */
    readonly permalink_structure?: string
  }
  /** WordPress's secrets (`AUTH_KEY`, `NONCE_SALT`, …). Default: the environment; missing ones are made once and kept with the data. */
  readonly secrets?: Readonly<Record<string, string | undefined>>
  /**
   * Fills a database that this very start created, before the first request. It runs once: when it throws, the start
   * fails, and a later start refuses that database: remove it.
   */
  readonly seed?: (tools: SeedTools) => Promise<void>
  /** Milliseconds since 1970; for tests. Default `Date.now`. */
  readonly clock?: () => number
  /** Where log lines go. Default: JSON lines on standard output, readable ones in a terminal. */
  readonly log?: Log
  /**
   * A line of the log for each answer: method, path without the query, address, status, and how many milliseconds the
   * answer took to make. Default false.
   */
  readonly request_log?: boolean
  /**
   * What `as-rest-route serve` does after the rejection of a promise that no code handles: it logs the error and goes on
   * (`log`), or it logs the error and ends with exit code 1 (`exit`). `boot` handles no errors of the process. Default `log`.
   */
  readonly unhandled_rejections?: 'log' | 'exit'
}

/** Options whose default is a value that needs nothing else to be known. */
type OptionWithDefault =
  | 'rest_prefix'
  | 'rest_default_capability'
  | 'database'
  | 'table_prefix'
  | 'cors'
  | 'trusted_proxies'
  | 'environment'
  | 'http'
  | 'body_limit'
  | 'cache_bytes'
  | 'clock'
  | 'request_log'
  | 'unhandled_rejections'

/** The options of an application that was looked at; what nobody said has its default. */
export type ResolvedOptions = BootOptions & Required<Pick<BootOptions, OptionWithDefault>>
