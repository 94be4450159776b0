import type { ValueDeclarationsOfContent } from '../content/define-content.js'
import type { RecordTypeDeclarations } from '../content/record-type.js'
import type { RoleDeclarations } from '../auth/declared-roles.js'
import type { SanitizeCallback } from '../validation/rules.js'
import type { RecordStore } from '../content/record-store.js'
import type { AnyJob } from '../content/job.js'
import type { SiteOptions } from '../content/site-options.js'
import type { Terms } from '../content/terms.js'
import type { Users } from '../content/users.js'
import type { Log } from '../log/log.js'
import type { RequestLog } from '../http/request-log.js'
import type { UploadPermission } from '../http/uploaded-file.js'
import type { Around } from '../routing/around.js'
import type { Contract } from '../container/container.js'
import type { WordPressConfig } from '../wordpress/wordpress-config.js'
import type { Provider } from './provider.js'

/** The services with which `seed` fills a new database. */
export interface SeedTools {
  readonly records: RecordStore
  readonly terms: Terms
  readonly users: Users
  readonly options: SiteOptions
  readonly log: RequestLog
}

/** `local` accepts application passwords over plain HTTP. */
export type Environment = 'production' | 'staging' | 'development' | 'local'

/** The options of `boot`. Each has a default. The start refuses an unknown one. */
export interface BootOptions extends ValueDeclarationsOfContent {
  /** Record types besides `post` and `page`, with their statuses, metadata and taxonomies. */
  readonly record_types?: RecordTypeDeclarations
  /** The beginning of the path of every route: one or more segments (`api/rest`), without outer slashes. Default `wp-json`. */
  readonly rest_prefix?: string
  /**
   * The capability that a route without a `permission` requires, or null for "any logged-in user".
   * Default `edit_posts`.
   */
  readonly rest_default_capability?: string | null
  /** Absolute URL of the site, without a trailing slash. Links begin with it. Default: the URL that the service listens on. */
  readonly base_url?: string
  /**
   * `sqlite:` and a path, `sqlite::memory:`, `postgres://user@host/database` or `mariadb://user@host/database`. The first of
   * these that is set counts: the option passed to `boot` or `--database`, `DATABASE_URL`, the configuration file. Default:
   * `sqlite:data/site.sqlite`.
   */
  readonly database?: string
  /**
   * Serves on the database of an existing WordPress site, in place of `database`, `table_prefix`, `base_url` and
   * `secrets`. `config`: its wp-config.php, which is read as text. The first of these that is set counts: the option passed to
   * `boot` or `--wordpress`, `WORDPRESS_CONFIG`, the configuration file.
   *
   * `companion`: the address at which PHP takes notices for the companion plugin, or false for none. Default: the
   * variable `WORDPRESS_COMPANION` (an address or `off`), else the address of the site where
   * `mu-plugins/as-rest-route.php` exists, else none.
   */
  readonly wordpress?: { readonly config: string | URL; readonly companion?: string | false }
  /** Maximum number of connections to a server, from 2 on; one more reads the change token. Default 10. */
  readonly database_pool?: number
  /** Seconds that a start waits for a server that cannot be reached. Default 30. */
  readonly database_wait?: number
  /** Seconds that a statement may take on a server. Default 30. */
  readonly database_timeout?: number
  /** Seconds after which a server ends a transaction in which nothing happens. 0: no limit. Default 60. */
  readonly database_idle_in_transaction?: number
  /** Whole seconds without traffic after which TCP sends keep-alive probes to a server. 0: never. Default 10. */
  readonly database_keep_alive?: number
  /** Seconds after which a connection to a server that nothing uses is closed. 0: never. Default 600. */
  readonly database_idle?: number
  /** Seconds after which a connection to a server is closed once nothing uses it. 0: never. Default 1800. */
  readonly database_lifetime?: number
  /**
   * Redis or Valkey for the counters of failed logins, which all processes on all machines then share:
   * `redis://user:password@host:6379/0`, or `rediss://` with TLS. It needs the package `ioredis`. Default: the
   * environment variable `REDIS_URL`; without it, the database has the counters if it is on a server.
   */
  readonly redis_url?: string
  /**
   * For a service on the database of a WordPress site, which gets no tables of this package: another database for the
   * responses that `idempotency_key` stores and, if it is on a server, for the counters of failed logins and limited
   * requests. An address as in `database`; each site needs a database of its own. Default: the environment variable
   * `SERVICE_DATABASE_URL`; without it, none. Without a WordPress site, `database` has these tables.
   */
  readonly service_database?: string
  /** Durability of SQLite: with `FULL` (default) a write survives a loss of power, with `NORMAL` only a crash of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** Prefix of the table names. Default `wp_`. */
  readonly table_prefix?: string
  /**
   * Pairs of a contract and its implementation: `[[ViewEngineInterface, TwigViews]]`. The compiler and the start compare
   * an implementation of `ViewEngineInterface` or `RecordStore` with its contract.
   */
  readonly provide?: readonly Provider[]
  /**
   * Classes that are built at the start, although no route injects them: `[Scheduler]`. As every class that the service
   * builds, they may have `start()` and `[Symbol.asyncDispose]()`.
   */
  readonly services?: readonly Contract<object>[]
  /**
   * Functions around the handlers of all routes of the application, the outermost first. A class has its own in
   * `static around`, and a declaration in `around`; they run within these.
   */
  readonly around?: readonly Around[]
  /** Sanitisers of the application, by the name that `sanitize_callback` uses. */
  readonly sanitizers?: Readonly<Record<string, SanitizeCallback>>
  /** The jobs of `job(…)` that the processes of this application run: `[sendTicket]`. */
  readonly jobs?: readonly AnyJob[]
  /**
   * Roles of the application, and further capabilities of stored roles, by the name of the role:
   * `{ administrator: { capabilities: ['edit_books'] } }`. They apply while the service runs. The database is not changed.
   */
  readonly roles?: RoleDeclarations
  /**
   * Origins from which browsers may send requests. Default `'any'`: every origin is echoed with credentials, as
   * WordPress does.
   */
  readonly cors?: 'any' | readonly string[]
  /** Addresses (or CIDR ranges) of proxies whose `X-Forwarded-*` headers are trusted. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /** Default `production`. */
  readonly environment?: Environment
  /** Folder of the view templates. Default: the folder `views` beside the configuration, if it exists. */
  readonly views?: string | URL
  /** Folder of static files, served below `/`. Default: the folder `public` beside the configuration, if it exists. */
  readonly public?: string | URL
  /**
   * Where `file.save(path)` stores uploads, and who may read them below `/uploads/`:
   * `{ folder: 'data/uploads', permission: 'public' }`. `permission` is `public`, a capability, null for every user who
   * is logged in, or a function of the path and the user. Default of `permission`: `rest_default_capability`. A relative
   * folder is below the working folder. Without the option, no uploads are served, and `save` needs a folder.
   */
  readonly uploads?: { readonly folder: string | URL; readonly permission?: UploadPermission }
  /**
   * `fast` (default): simple requests are read without `node:http`, which halves the time of a small one. `node`: all
   * requests are read by `node:http`. The responses are the same.
   */
  readonly http?: 'fast' | 'node'
  /** Maximum size of a request body, in bytes. Default 1 MiB (1,048,576). */
  readonly body_limit?: number
  /**
   * Seconds until a request is answered with 503. The limit ends when the head of the response is sent. 0: no limit. A
   * declaration may have its own in `timeout`. Default 30.
   */
  readonly request_timeout?: number
  /** Seconds that a streamed body may go without a chunk. Then its connection is ended. Default 60. */
  readonly stream_timeout?: number
  /**
   * Memory for the responses of routes that declare `cache`, in bytes; one response may take an eighth. 0 switches caching
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
  /**
   * WordPress's secrets (`AUTH_KEY`, `NONCE_SALT`, …). Default: the environment. Missing ones are generated once and stored in
   * the database.
   */
  readonly secrets?: Readonly<Record<string, string | undefined>>
  /**
   * Fills a database that this start created, before the first request. It runs once. When it throws, the start fails, and
   * later starts refuse the database until it is removed.
   */
  readonly seed?: (tools: SeedTools) => Promise<void>
  /**
   * Milliseconds since 1970; for tests. Default `Date.now`. Without this option, durations (waits after failed logins,
   * the age of cached responses) are measured by a monotonic clock instead.
   */
  readonly clock?: () => number
  /**
   * The server that sends email: `smtps://user:password@mail.example`. It needs the package `nodemailer`. Default: the
   * environment variable `SMTP_URL`; without it, messages go to the log in the environments `development` and `local`.
   */
  readonly smtp_url?: string
  /**
   * The sender of email: an address, or `Shop <shop@example.com>`. Default: the environment variable `MAIL_FROM`, else
   * `no-reply` at the host of the site.
   */
  readonly mail_from?: string
  /** Receives the lines of the log. Default: JSON lines on standard output, readable ones in a terminal. */
  readonly log?: Log
  /**
   * Whether the log has a line for each response: method, path without the query, address, status, and the milliseconds of
   * its computation. Default false.
   */
  readonly request_log?: boolean
  /**
   * The reaction of `as-rest-route serve` to the rejection of a promise that no code handles: it logs the error and goes on
   * (`log`), or it logs the error and ends with exit code 1 (`exit`). `boot` handles no errors of the process. Default `log`.
   */
  readonly unhandled_rejections?: 'log' | 'exit'
}

/** Options with a constant default. */
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
  | 'request_timeout'
  | 'stream_timeout'
  | 'cache_bytes'
  | 'clock'
  | 'request_log'
  | 'unhandled_rejections'

/** The options of an application with their defaults. */
export type ResolvedOptions = Omit<BootOptions, 'public' | 'uploads'> &
  Required<Pick<BootOptions, OptionWithDefault>> & {
    /** The absolute path of the folder. */
    readonly public?: string
    /** `folder` is an absolute path. */
    readonly uploads?: { readonly folder: string; readonly permission?: UploadPermission }
    /** The wp-config.php of the site whose database is used; null for a database of our own. */
    readonly wordpressConfig: WordPressConfig | null
    /** Where the companion plugin takes notices: an address, or null for that of the site. Null without a companion. */
    readonly companion: { readonly address: string | null } | null
  }
