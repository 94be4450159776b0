import type { Allowance } from './failure-counters.js'

/** The limits of failed attempts before a client has to wait. */
export interface RateLimits {
  /** Attempts at one account from one network. */
  readonly pair: Allowance
  /** Attempts at any account from one network, except accounts that the network has logged in to. */
  readonly network: Allowance
  /** Attempts at one account from all networks. Networks that have logged in to the account do not have to wait. */
  readonly account: Allowance
}

/**
 * The limits for passwords that users choose. Users make fewer than ten mistakes. An attacker in one network can try
 * 2,889 passwords of an account on the first day and 2,880 on each later day. With fifty networks these are 8,739 and
 * 8,640.
 */
export const signInLimits: RateLimits = {
  pair: { failures: 10, secondsEach: 30 },
  network: { failures: 100, secondsEach: 6 },
  account: { failures: 100, secondsEach: 10 },
}

/**
 * The limits for the passwords of records. A record has many visitors, so few failures of all networks together must not
 * lock out the others: one network has the limits of a login.
 */
export const recordPasswordLimits: RateLimits = { ...signInLimits, account: { failures: 10_000, secondsEach: 1 } }

const unlimited: Allowance = { failures: Infinity, secondsEach: 1 }

/**
 * The limits for entered passwords of records. Each counts, right or wrong, because each is hashed for the cookie before it
 * is compared with any record.
 */
export const enteredPasswordLimits: RateLimits = {
  pair: unlimited,
  network: { failures: 100, secondsEach: 2 },
  account: unlimited,
}

/**
 * The limits for application passwords. Their 142 bits cannot be guessed. These limits reduce the load of a program
 * with an outdated password.
 */
export const applicationPasswordLimits: RateLimits = {
  pair: { failures: 60, secondsEach: 6 },
  network: { failures: 300, secondsEach: 2 },
  account: { failures: 1000, secondsEach: 1 },
}

/** The limits of requests for a link. Each request counts, because each may send a message. */
export const resetLimits: RateLimits = {
  pair: { failures: 3, secondsEach: 600 },
  network: { failures: 20, secondsEach: 60 },
  account: { failures: 10, secondsEach: 300 },
}

/** The limits of a service, by what they limit. */
export const rateLimits = {
  logins: signInLimits,
  applicationPasswords: applicationPasswordLimits,
  recordPasswords: recordPasswordLimits,
  enteredPasswords: enteredPasswordLimits,
  resets: resetLimits,
} as const satisfies Record<string, RateLimits>

export type LimitName = keyof typeof rateLimits

/** Maximum number of networks that one account trusts at a time. A user has a few: at home, at work, on the road. */
export const maxTrustedNetworks = 8
