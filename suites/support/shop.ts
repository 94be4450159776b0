import type { Configuration, RouteSource } from 'as-rest-route'

// Imported by a URL that the compiler does not follow: the example registers the types of its own content for the whole program.
const shop = new URL('../../examples/shop/', import.meta.url)

async function exportsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  return (await import(new URL(path, shop).href)) as Record<string, unknown>
}

const apis = ['orders', 'partials', 'products', 'settings', 'shapes'].map((name) => `app/${name}-api.ts`)

/** The handler classes of the example shop. */
export const shopHandlers = (await Promise.all(apis.map(exportsOf))).flatMap(
  (exported) => Object.values(exported) as RouteSource[],
)

/** The options of the example shop, without its folder of handlers. */
export const { handlers: _handlers, ...shopOptions } = (await exportsOf('as-rest-route.config.ts'))[
  'default'
] as Configuration
