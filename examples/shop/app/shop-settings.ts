import { inject, RecordStore, SiteOptions } from 'as-rest-route'

/** The option of the site that holds each setting. Its rules are in `site_options` of the configuration. */
const optionOf = { currency: 'shop_currency', is_open: 'shop_is_open', max_quantity: 'shop_max_quantity' } as const

const settings = Object.keys(optionOf) as (keyof typeof optionOf)[]

/** What the shop keeps in the options of the site. */
export class ShopSettings {
  constructor(
    private readonly options = inject(SiteOptions),
    private readonly records = inject(RecordStore),
  ) {}

  async all() {
    const [currency, is_open, max_quantity] = await Promise.all([
      this.options.get('shop_currency'),
      this.options.get('shop_is_open'),
      this.options.get('shop_max_quantity'),
    ])
    return { currency, is_open, max_quantity }
  }

  /**
   * Stores all changed settings, or none when the rules refuse one. `null` restores a default.
   * @returns whether there were any.
   */
  async change(changes: Readonly<Record<string, unknown>>): Promise<boolean> {
    const changed = settings.filter((name) => Object.hasOwn(changes, name))
    if (changed.length > 0)
      await this.records.transaction(async () => {
        for (const name of changed) {
          const value = changes[name]
          if (value === null) await this.options.delete(optionOf[name])
          // The compiler does not know what a client sends: the rules of the option check it.
          else await this.options.set(optionOf[name], value as never)
        }
      })
    return changed.length > 0
  }
}
