import { findPrograms } from './server-program.js'
import { serverPrograms, type ServerKind } from './server-programs.js'

/**
 * The value of a test's option `skip`: false where `freshDatabase` gives a database, else what to install.
 * @throws Error with CI=true: there the servers are installed. `TEST_SERVERS=none` leaves them out on purpose.
 */
export function skipWithoutServer(kind: ServerKind): string | false {
  return orFailure(missingServer(kind))
}

/** As `skipWithoutServer`, for `startServer`, which needs an installed server. */
export function skipWithoutProgram(kind: ServerKind): string | false {
  return orFailure(missingProgram(kind))
}

/** Why there is no server for `freshDatabase`; null when there is one. */
export function missingServer(kind: ServerKind): string | null {
  const { variable } = serverPrograms[kind]
  if (isLeftOut()) return missingProgram(kind)
  if ((process.env[variable] ?? '') !== '') return null
  const reason = missingProgram(kind)
  return reason === null ? null : `${reason}, or set ${variable}`
}

/** Why there is no server for `startServer`; null when there is one. */
export function missingProgram(kind: ServerKind): string | null {
  const { name, debianPackage } = serverPrograms[kind]
  if (isLeftOut()) return `${name} is left out by TEST_SERVERS=none`
  if (findPrograms(serverPrograms[kind]) !== null) return null
  return `there is no ${name} here: install Debian's ${debianPackage}`
}

function isLeftOut(): boolean {
  return process.env['TEST_SERVERS'] === 'none'
}

function orFailure(reason: string | null): string | false {
  if (reason === null) return false
  if (process.env['CI'] === 'true' && !isLeftOut()) throw new Error(reason)
  return reason
}
