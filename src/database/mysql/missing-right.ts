import { userInfo } from 'node:os'
import { StorageError } from '../storage-error.js'
import type { MysqlAddress } from './mysql-address.js'
import { numberOf } from './mysql-fault.js'

/** The error with its remedy where the user of the address lacks a right; else the error. */
export function withRemedy(error: unknown, { server: { database, user } }: MysqlAddress): unknown {
  if (!(error instanceof StorageError)) return error
  const remedy = remedyOf(error, database, user)
  return remedy === null ? error : new StorageError(error.fault, `${error.message} ${remedy}`, { cause: error.cause })
}

function remedyOf(error: StorageError, database: string, user: string | null): string | null {
  switch (numberOf(error)) {
    // The server writes a binary log, and asks for a right of administrators before a trigger is created.
    case 1419:
      return 'The server writes a binary log. An administrator allows triggers there: SET GLOBAL log_bin_trust_function_creators = 1, and the same in the configuration of the server.'
    case 1142:
    case 1044: {
      const [, right = 'ALL'] = /([A-Z]+(?: [A-Z]+)*) command denied/.exec(error.message) ?? []
      return `An administrator allows it: GRANT ${right} ON \`${database}\`.* TO '${user ?? userInfo().username}'@'…'`
    }
    default:
      return null
  }
}
