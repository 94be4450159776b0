import { unixTime } from '../auth/unix-time.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { openSealedText, sealText } from '../auth/sealed-text.js'
import type { HeaderLine } from './page-responses.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'

/** Seconds in which the browser must show a new application password. */
const lifetime = 120

/** A new application password that the profile page shows once. */
export interface PasswordToShow {
  /** Browsers drop cookies of more than 4,096 bytes, so its name, which may be longer, is not in the cookie. */
  readonly uuid: string
  /** In groups of four. */
  readonly password: string
}

/**
 * A cookie that hands a new application password to the profile. The redirect after the form keeps a reload from creating a
 * second password, and the password must not be in an address. The cookie is encrypted, bound to the session, and removed
 * when the password is shown.
 */
export class NewPasswordCookie {
  constructor(readonly dependencies: PageDependencies) {}

  set(password: PasswordToShow, visitor: SignedInVisitor, request: PageRequest): HeaderLine {
    const { authentication } = this.dependencies
    const now = this.#now()
    const sealed = sealText(JSON.stringify(password), purposeOf(visitor), now + lifetime, authentication.secrets)
    const { secure } = request.incoming
    return ['Set-Cookie', authentication.cookies().setNewApplicationPassword(sealed, lifetime, now, secure)]
  }

  /** The password in the cookie of a request; null without one. */
  read(request: PageRequest, visitor: SignedInVisitor): PasswordToShow | null {
    const { authentication } = this.dependencies
    const sealed = request.cookies.get(authentication.cookies().newApplicationPassword)
    const text = sealed && openSealedText(sealed, purposeOf(visitor), this.#now(), authentication.secrets)
    return text ? (JSON.parse(text) as PasswordToShow) : null
  }

  remove(): HeaderLine {
    return ['Set-Cookie', this.dependencies.authentication.cookies().clearNewApplicationPassword(this.#now())]
  }

  #now(): number {
    return unixTime(this.dependencies.clock)
  }
}

function purposeOf({ account, sessionToken }: SignedInVisitor): string {
  return `new application password|${account.user.ID}|${sessionToken}`
}
