import { currentUserCan, inject, RecordStore, type RecordQuery, type StoredRecord } from 'as-rest-route'
import { allShown, shown } from './protected-records.js'

/** What each order of the product list sorts by. */
const orders = {
  date: { orderby: 'date', order: 'desc' },
  title: { orderby: 'title', order: 'asc' },
  price: { orderby: { meta: 'price' }, order: 'asc' },
  popularity: { orderby: { meta: 'total_sales' }, order: 'desc' },
} satisfies Record<string, RecordQuery>

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
    return allShown(await this.records.list({ type: 'product', category, page, per_page, ...orders[orderby] }))
  }

  async find(id: number): Promise<StoredRecord | null> {
    const record = await this.records.get(id)
    return record?.type === 'product' ? record : null
  }

  /**
   * An unpublished product does not exist for a caller who may not read it; what a password protects is left out for
   * those who may not edit it.
   */
  async findReadable(id: number): Promise<StoredRecord | null> {
    const product = await this.find(id)
    if (product === null) return null
    const isReadable = product.status === 'publish' || (await currentUserCan('read_post', id))
    return isReadable ? shown(product) : null
  }
}

/** A product as the API shows it. */
export function productView({ id, title, content, meta, link }: StoredRecord) {
  return { id, title, content, price: Number(meta['price'] ?? 0), link }
}
