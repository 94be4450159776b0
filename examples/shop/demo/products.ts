import type { Product } from './product.js'
import { garden } from './products/garden.js'
import { kitchen } from './products/kitchen.js'
import { pantry } from './products/pantry.js'
import { paper } from './products/paper.js'

/** Everything on the shelves, by the slug of its category. */
export const products: Readonly<Record<'pantry' | 'kitchen' | 'garden' | 'paper-ink', readonly Product[]>> = {
  pantry,
  kitchen,
  garden,
  'paper-ink': paper,
}
