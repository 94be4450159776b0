import type { Accounts } from '../auth/accounts.js'
import type { Authenticator } from '../auth/authenticator.js'
import type { ApplicationPasswords } from '../auth/application-passwords.js'
import type { LoginCookies } from '../auth/login-cookies.js'
import type { PasswordReset } from '../auth/password-reset.js'
import type { RecordPasswords } from '../auth/record-passwords.js'
import type { Secrets } from '../auth/secrets.js'
import type { Sessions } from '../auth/sessions.js'
import type { SignIn } from '../auth/sign-in.js'
import type { Caller } from '../http/caller.js'
import type { CallerContext } from '../auth/current-user.js'
import type { RecordStore } from '../content/record-store.js'
import type { RecordTypes } from '../content/record-types.js'
import type { Log } from '../log/log.js'
import type { Site } from '../content/site.js'
import type { Storage } from '../database/storage.js'
import type { ViewEngineInterface } from '../views/view-engine.js'
import type { PublicFiles } from './public-files.js'
import type { UploadSettings } from './stored-uploads.js'

/** The site that pages show. */
export interface PageContent {
  readonly site: Site
  readonly storage: Storage
  readonly types: RecordTypes
  readonly records: RecordStore
}

/** The objects that identify and authorise visitors. */
export interface PageAuthentication {
  readonly authenticator: () => Authenticator
  readonly signIn: () => SignIn
  readonly cookies: () => LoginCookies
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly applicationPasswords: ApplicationPasswords
  /** Whether a WordPress has the same users. */
  readonly sharesTables: boolean
  readonly recordPasswords: RecordPasswords
  /** Null when no mail can be sent. */
  readonly passwordReset: PasswordReset | null
  readonly secrets: Secrets
  readonly contextOf: (caller: Caller) => CallerContext
}

/** What pages need to know about REST routes. */
export interface PageRest {
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  /** Whether a route matches a GET of this path: `/wp/v2/posts/5`. */
  readonly hasRoute: (path: string) => boolean
  /** The boot option `cors`. */
  readonly cors: 'any' | readonly string[]
}

/** The services and settings that the pages use. */
export interface PageDependencies {
  readonly content: PageContent
  readonly authentication: PageAuthentication
  readonly rest: PageRest
  readonly views: ViewEngineInterface
  /** The static files of the application; null when it has none. */
  readonly files: PublicFiles | null
  /** Null for an application that serves no uploads. */
  readonly uploads: UploadSettings | null
  /** `production`, `staging`, `development` or `local`. */
  readonly environment: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: Log
}
