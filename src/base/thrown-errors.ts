import type { ErrorEntry } from './error-entry.js'

/**
 * The errors that `boot`, a service or a store rejects with, by section of docs/errors.md and by their `code`. Errors that
 * become a response have the code of that response.
 */
export const thrownErrors = {
  'Thrown errors': {
    'startup-refused': {
      meaning:
        '`StartupError`: the service does not start. `diagnostics` lists what is wrong, each with a code of its own.',
      remedy: 'Correct the declarations and options.',
    },
    'seed-failed': {
      meaning: '`SeedError`: the option `seed` threw an error, which is the `cause`.',
      remedy: 'Remove the incomplete database, correct the seed, and start again.',
    },
    'hasher-busy': {
      meaning: '`HasherBusyError`: too many passwords wait to be hashed or verified. In a response it is a 503.',
      remedy: 'Try again after `retryAfter` seconds.',
    },
    'storage-busy': {
      meaning:
        '`StorageError`: another connection holds the database, and did not release it in time. In a response it is a 503.',
      remedy: 'Try again. When it lasts, look for a program that holds a long transaction.',
    },
    'storage-full': {
      meaning: '`StorageError`: the disk is full. Nothing of the failed write is stored. In a response it is a 503.',
      remedy: 'Free space on the disk.',
    },
    'storage-read-only': {
      meaning: '`StorageError`: the database can be read and not written. In a response it is a 503.',
      remedy: 'Give the user of the process write access to the file and its folder.',
    },
    'storage-constraint': {
      meaning: '`StorageError`: a unique key exists already, or the table does not allow a value.',
      remedy: 'Read the message, which comes from the database.',
    },
    'storage-incompatible': {
      meaning:
        '`StorageError`: the database was made by a newer version, its first start was never completed, or it is another database.',
      remedy: 'Use the newer version, or another database.',
    },
    'storage-unavailable': {
      meaning: '`StorageError`: the database cannot be opened or reached, or is closed. In a response it is a 503.',
      remedy: 'Correct the option `database`, or the access to the file.',
    },
    'storage-transaction': {
      meaning:
        '`StorageError`: a transaction took too long, was used after its end, or ended while a write that it had started was running.',
      remedy: 'Wait for every call inside a transaction, and for nothing else.',
    },
    'storage-failed': {
      meaning: '`StorageError`: another failure of the database.',
      remedy: 'Read the message and the `cause`, which come from the database.',
    },
    'undeclared-record-type': {
      meaning:
        '`UndeclaredNameError`: a query or a write names a record type that is not declared. In a response it is a 500.',
      remedy: 'Correct the name, or declare the type in `record_types`.',
    },
    'undeclared-status': {
      meaning: '`UndeclaredNameError`: a query or a write names a status that the record type does not have.',
      remedy: 'Correct the name, or declare the status in `statuses` of the record type.',
    },
    'undeclared-metadata': {
      meaning:
        '`UndeclaredNameError`: a query or a write names a key of metadata that the record type, `user_meta` or `term_meta` does not declare.',
      remedy: 'Correct the name, or declare the key in `meta` of the record type, `user_meta` or `term_meta`.',
    },
    'undeclared-taxonomy': {
      meaning: '`UndeclaredNameError`: a call names a taxonomy that no record type declares.',
      remedy: 'Correct the name, or declare the taxonomy in `taxonomies` of a record type.',
    },
    'undeclared-option': {
      meaning: '`UndeclaredNameError`: a call names an option of the site that is not declared.',
      remedy: 'Correct the name, or declare the option in `site_options`.',
    },
    'undeclared-order': {
      meaning: '`UndeclaredNameError`: records cannot be ordered by this name.',
      remedy: 'Correct the name. A name that a client may choose needs an `enum` in `args`.',
    },
  },
} satisfies Record<string, Record<string, ErrorEntry>>

/** The code of an error that is thrown and is not the body of a response. */
export type ThrownErrorCode = keyof (typeof thrownErrors)['Thrown errors']

/** Whether an error is one that `boot`, a service or a store rejects with. */
export function isThrownError(error: unknown): error is Error & { readonly code: ThrownErrorCode } {
  return error instanceof Error && 'code' in error && Object.hasOwn(thrownErrors['Thrown errors'], String(error.code))
}
