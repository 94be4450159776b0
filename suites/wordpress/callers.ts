import { people } from './people.js'
import { siteUsers, type WordPressSite } from '../../test/support/wordpress/wordpress-site.js'

/** One who sends requests. */
export interface Caller {
  readonly headers: Readonly<Record<string, string>>
  /** That of the session; null when a request is not to send it. */
  readonly nonce: string | null
}

const caller = (headers: Caller['headers'], nonce: string | null = null): Caller => ({ headers, nonce })
const basic = (text: string): Caller => caller({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

/** All users with valid and wrong credentials of every kind. */
export async function callersOf(site: WordPressSite): Promise<Caller[]> {
  const callers = [
    ...['Basic x', 'Bearer x', 'Basic', 'Basic Og==', 'Basic OnB3'].map((authorization) => caller({ authorization })),
    basic('nobody:pw'),
    basic('nobody@a.b:pw'),
  ]
  for (const user of [...Object.values(siteUsers), ...people]) {
    const authorization = await site.applicationPassword(user)
    const cookie = await site.logIn(user)
    const nonce = await site.restNonce(cookie)
    const pair = Buffer.from(authorization.slice(6), 'base64').toString()
    const cookies = cookie.split('; ')
    const withNonce = { cookie, 'x-wp-nonce': nonce }
    callers.push(
      caller({ authorization }),
      caller({ authorization: authorization.replace('Basic', 'basic') }),
      caller({ authorization: authorization.replace('Basic ', 'Basic  ') }),
      caller({ authorization: authorization.replaceAll('=', '') }),
      caller({ authorization, 'x-wp-nonce': 'x' }),
      basic(pair.replace(/(?<=:.*)(.{4})(?=.)/g, '$1 ')),
      basic(pair.replace(user.login, user.email)),
      basic(pair.replace(user.login, user.login.toUpperCase())),
      basic(pair.replace(user.login, ` ${user.login}`)),
      basic(pair.replace(':', ':-!')),
      basic(`${pair}x`),
      basic(`${user.login}:`),
      caller(withNonce),
      caller(withNonce),
      caller({ cookie }, nonce),
      caller({ cookie, 'x-wp-nonce': 'ffffffffff' }, nonce),
      caller({ cookie, 'x-wp-nonce': '' }),
      caller({ 'x-wp-nonce': nonce }),
      caller({ cookie, authorization }),
      caller({ ...withNonce, authorization }),
      caller({ ...withNonce, authorization: 'Basic eDp5' }),
      caller({ ...withNonce, cookie: cookie.replaceAll('%7C', '|') }),
      caller({ ...withNonce, cookie: `a=b; ${cookies.toReversed().join(';  ')}` }),
      // The last part of a cookie is its signature, the second one the end of its validity.
      caller({ ...withNonce, cookie: cookie.replaceAll(/%7C\w+(?=;|$)/g, '%7Cx') }),
      caller({ ...withNonce, cookie: cookie.replaceAll(/%7C\d+%7C/g, '%7C1%7C') }),
      caller({ ...withNonce, cookie: cookies.filter((each) => !each.includes('logged_in')).join('; ') }),
    )
  }
  return callers
}
