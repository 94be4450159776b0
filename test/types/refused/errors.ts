import { RestError } from 'as-rest-route'

export const sound = [
  new RestError('book_lent', 'This book is lent.', { status: 409, until: '2026-12-01' }),
  new RestError('odd', 'A validator needs no status.'),
  new RestError('bank_down', 'Try again later.', { status: 502, cause: new Error('timeout') }),
  new RestError('odd', 'Two problems.', { additional_errors: [{ code: 'other', message: 'Other.', data: null }] }),
]

export const refused = [
  // @ts-expect-error a status that is not in an object
  new RestError('not_found', 'Nothing here', 404),
  // @ts-expect-error an error with data and without a status
  new RestError('book_lent', 'This book is lent.', { until: '2026-12-01' }),
  // @ts-expect-error a status that is text
  new RestError('book_lent', 'This book is lent.', { status: '409' }),
  // @ts-expect-error a status that is text, beside a cause
  new RestError('book_lent', 'This book is lent.', { status: '409', cause: null }),
  // @ts-expect-error a further problem without a code
  new RestError('book_lent', 'This book is lent.', { status: 409, additional_errors: [{ message: 'Other.' }] }),
]
