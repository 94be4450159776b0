import type { PaletteName } from './palettes.js'
import type { ShapeName } from './shapes.js'

/** One thing on the shelves, as the shopkeeper would write it on a card. */
export interface Product {
  /** File name of its drawing, without `.svg`. */
  readonly image: string
  readonly title: string
  readonly price: number
  /** How many were sold so far. */
  readonly sales: number
  /** When it came into the shop, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string
  /** Left out: `publish`. */
  readonly status?: 'publish' | 'draft' | 'private'
  readonly shape: ShapeName
  readonly palette: PaletteName
  /** One line for a list. */
  readonly summary: string
  /** Plain text, a paragraph each. */
  readonly text: readonly string[]
}
