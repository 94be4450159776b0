import type { SignedInVisitor } from '../auth/authenticator.js'
import type { Site } from '../content/site.js'
import { adminAddress } from '../http/site-addresses.js'
import type { PageNonces } from './page-nonces.js'

/** The action of the nonce in the logout link. */
export const logOutAction = 'log-out'

/** The addresses of the service's own pages. They are absolute, as in WordPress. */
export class SiteLinks {
  constructor(
    readonly site: Site,
    readonly nonces: PageNonces,
  ) {}

  get home(): string {
    return `${this.site.home}/`
  }

  get login(): string {
    return `${adminAddress(this.site)}/wp-login.php`
  }

  get lostPassword(): string {
    return `${this.login}?action=lostpassword`
  }

  get admin(): string {
    return `${adminAddress(this.site)}/wp-admin/`
  }

  get profile(): string {
    return `${this.admin}profile.php`
  }

  get authorize(): string {
    return `${this.admin}authorize-application.php`
  }

  get loggedOut(): string {
    return `${this.login}?loggedout=true&wp_lang=en_US`
  }

  logOut(visitor: SignedInVisitor): string {
    return `${this.login}?action=logout&_wpnonce=${this.nonces.create(visitor, logOutAction)}`
  }

  /** The login form, which leads back to a page. @param address absolute. */
  loginFrom(address: string): string {
    return `${this.login}?redirect_to=${encodeURIComponent(address.toWellFormed())}`
  }

  /** The login form for a page that needs a login, to which it redirects afterwards. @param destination absolute. */
  loginBefore(destination: string): string {
    return `${this.login}?redirect_to=${encodeURIComponent(destination.toWellFormed())}&reauth=1`
  }
}
