/** Whether requests may or must have the header `Idempotency-Key`. */
export type IdempotencyKey = (typeof idempotencyKeys)[number]

export const idempotencyKeys = ['optional', 'required'] as const

/** The headers of a request with a key and of its response, for pages of other origins. */
export const idempotencyHeaders = {
  request: ['Idempotency-Key'],
  response: ['Idempotent-Replayed', 'Retry-After'],
} as const
