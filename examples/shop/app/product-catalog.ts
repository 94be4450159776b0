import { currentUserCan, inject, RecordStore, type RecordQuery, type RecordWith } from 'as-rest-route'
import { allShown, shown } from './protected-records.js'

/** What each order of the product list sorts by. */
const orders = {
  date: { orderby: 'date', order: 'desc' },
  title: { orderby: 'title', order: 'asc' },
  price: { orderby: { meta: 'price' }, order: 'asc' },
  popularity: { orderby: { meta: 'total_sales' }, order: 'desc' },
} satisfies Record<string, RecordQuery<'product'>>

/** What the API shows of a product, and what decides whether it may. Nothing else is read. */
const fields = ['type', 'status', 'title', 'content', 'link', 'isProtected', 'meta'] as const
const meta_keys = ['price'] as const

export interface Page {
  page: number
  per_page: number
  category?: string | null
  orderby: keyof typeof orders
}

/** What the shop knows of products; handlers take it in their constructor, nobody registers it. */
export class ProductCatalog {
  constructor(private readonly records = inject(RecordStore)) {}

  async list({ page, per_page, category = null, orderby }: Page) {
    const query = { type: 'product', category, page, per_page, ...orders[orderby], fields, meta_keys } as const
    return allShown(await this.records.list(query))
  }

  find(id: number) {
    return this.records.get(id, { type: 'product', fields, meta_keys })
  }

  /**
   * An unpublished product does not exist for a caller who may not read it; what a password protects is left out for
   * those who may not edit it.
   */
  async findReadable(id: number) {
    const product = await this.find(id)
    if (product === null) return null
    const isReadable = product.status === 'publish' || (await currentUserCan('read_post', id))
    return isReadable ? shown(product) : null
  }
}

/** A product as the API shows it. */
export function productView(product: RecordWith<'title' | 'content' | 'meta' | 'link', 'product', 'price'>) {
  const { id, title, content, meta, link } = product
  return { id, title, content, price: meta.price, link }
}
