import type { ResponseErrorEntry } from './error-entry.js'

/** The errors of records and terms. */
export const contentErrors = {
  'Records and terms': {
    empty_content: {
      status: '400',
      meaning: 'A record of a type with these fields has no text in any of them.',
      remedy: 'Send one of the fields.',
    },
    invalid_date: {
      status: '400',
      meaning: 'The date of a record does not exist.',
      remedy: 'Send a date such as `2026-12-01T10:00:00`.',
    },
    db_insert_error: {
      status: '400',
      meaning:
        'A text of a new record is too long for its column, or not valid UTF-8. The `data` of the error names the columns.',
      remedy: 'Send a shorter or a valid text.',
    },
    db_update_error: {
      status: '400',
      meaning:
        'A changed text of a record is too long for its column, or not valid UTF-8. The `data` of the error names the columns.',
      remedy: 'Send a shorter or a valid text.',
    },
    invalid_post_id: {
      status: '400',
      meaning: 'Another record has the id of the new record.',
      remedy: 'Leave the id out.',
    },
    invalid_meta_key: {
      status: '400',
      meaning: 'A metadata key is empty or too long.',
      remedy: 'Choose another key.',
    },
    invalid_meta_value: {
      status: '400',
      meaning:
        'A metadata value is not one that the rules of its key allow, or contains half a surrogate pair. The message names the key.',
      remedy: 'Send a valid value, or correct the rules in `meta` of the record type.',
    },
    record_conflict: {
      status: '409',
      meaning:
        'A record does not meet the condition of an update or a deletion, `if` or `if_unchanged`: another request has changed it.',
      remedy: 'Read the record again, and repeat the request if it still applies.',
    },
    invalid_option_name: {
      status: '400',
      meaning: 'The name of an option is empty or too long, or not valid Unicode.',
      remedy: 'Choose another name.',
    },
    invalid_option_value: {
      status: '400',
      meaning: 'The value of an option contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    invalid_taxonomy: {
      status: '400',
      meaning: 'The record type does not declare the taxonomy.',
      remedy: 'Declare it in `taxonomies` of the record type.',
    },
    invalid_term: {
      status: '400',
      meaning: 'The record refers to a term that does not exist.',
      remedy: 'Create the term, or correct the slug.',
    },
    empty_term_name: {
      status: '400',
      meaning: 'The name of a new term is empty.',
      remedy: 'Choose a name.',
    },
    invalid_term_name: {
      status: '400',
      meaning: 'The name of a new term is too long or not valid Unicode.',
      remedy: 'Choose another one.',
    },
    invalid_term_description: {
      status: '400',
      meaning: 'The description of a new term contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    invalid_term_id: {
      status: '400',
      meaning: 'Another term has the id of the new term.',
      remedy: 'Leave the id out.',
    },
    missing_parent: {
      status: '400',
      meaning: 'The parent of a new term does not exist.',
      remedy: 'Create the parent first.',
    },
    term_exists: {
      status: '400',
      meaning: 'Another term of the taxonomy has the slug of the new term.',
      remedy: 'Use the existing term, or another slug.',
    },
  },
} satisfies Record<string, Record<string, ResponseErrorEntry>>
