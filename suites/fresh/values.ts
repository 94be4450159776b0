/** A value that only grows, with the writes that were acknowledged. Its writer makes one write at a time. */
export interface Subject {
  readonly what: 'record' | 'user'
  readonly id: number
  /** The last value whose write was acknowledged. */
  acknowledged: number
  /** The last value that was written. A write that failed may have happened. */
  written: number
}

export interface View {
  readonly kind: string
  readonly path: (subject: Subject) => string
  /** The value of the subject in a body; NaN without one. */
  readonly valueIn: (body: unknown, subject: Subject) => number
}

const single = (kind: string, name: string): View => ({
  kind,
  path: ({ id }) => `/wp-json/fresh/v1/${name}/${id}`,
  valueIn: (body) => Number(body ?? NaN),
})
const list = (kind: string, name: string): View => ({
  kind,
  path: () => `/wp-json/fresh/v1/${name}`,
  valueIn: (body, subject) => Number((body as [number, string][]).find(([id]) => id === subject.id)?.[1] ?? NaN),
})
const partial = (kind: string, name: string): View => ({
  kind,
  path: () => `/wp-json/fresh/v1/${name}`,
  valueIn: (body, { id }) =>
    Number(new RegExp(`<li id="${id}">(\\d+)</li>`).exec((body as { html: string }).html)?.[1] ?? NaN),
})

export const views: Readonly<Record<Subject['what'], readonly View[]>> = {
  record: [
    single('record', 'record'),
    single('cached record', 'cached-record'),
    list('list', 'list'),
    list('cached list', 'cached-list'),
    partial('partial', 'partial'),
    partial('cached partial', 'cached-partial'),
  ],
  user: [single('user', 'user'), single('cached user', 'cached-user')],
}
