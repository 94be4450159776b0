/** An event as the API shows it. */
export const event = {
  title: 'event',
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    title: { type: 'string', required: true },
    starts_at: { type: 'string', required: true },
    price: { type: 'number', required: true },
    seats_left: { type: 'integer', required: true },
    poster: { type: 'string', required: true },
    link: { type: 'string', required: true },
  },
} as const

export const ticket = {
  title: 'ticket',
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    event: { type: 'integer', required: true },
    seats: { type: 'integer', required: true },
    status: { type: 'string', enum: ['publish', 'paid', 'cancelled'], required: true },
  },
} as const

/** The rules that creating and changing an event share. */
export const eventArguments = {
  title: { type: 'string', minLength: 1, sanitize_callback: 'sanitize_text_field' },
  content: { type: 'string' },
  starts_at: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$' },
  capacity: { type: 'integer', minimum: 1, maximum: 100_000 },
  price: { type: 'number', minimum: 0 },
} as const
