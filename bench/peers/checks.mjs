// Arguments checked by hand, for the peers that bring no validator. Each answers the values, or null for a bad request.

const digits = /^-?\d+$/

function integer(text, fallback, minimum = -Infinity, maximum = Infinity) {
  if (text === null || text === undefined) return fallback
  if (!digits.test(text)) return null
  const value = Number(text)
  return value >= minimum && value <= maximum ? value : null
}

/** @param {(name: string) => string | null | undefined} query */
export function helloArguments(query) {
  const count = integer(query('count'), 1, 1, 100)
  return count === null ? null : { count }
}

export function listArguments(query) {
  const per_page = integer(query('per_page'), 10, 1, 100)
  const page = integer(query('page'), 1, 1)
  const orderby = query('orderby') ?? 'date'
  if (per_page === null || page === null || !['date', 'title', 'price', 'popularity'].includes(orderby)) return null
  const category = query('category') ?? null
  return { per_page, page, orderby, category: category === null ? null : category.replaceAll(/<[^>]*>/g, '').trim() }
}

export function partialArguments(query) {
  const page = integer(query('page'), 1)
  const per_page = integer(query('per_page'), 6)
  return page === null || per_page === null ? null : { page, per_page }
}

export function productBody(body) {
  if (typeof body !== 'object' || body === null) return null
  const { title, content = '', price } = body
  const isGood = typeof title === 'string' && typeof content === 'string' && Number.isFinite(price)
  return isGood ? { title, content, price } : null
}
