import type { PaletteName } from './palettes.js'

/** A story of the shop. */
export interface Post {
  /** File name of its drawing, without `.svg`. */
  readonly image: string
  readonly title: string
  /** `YYYY-MM-DDTHH:MM:SS` */
  readonly date: string
  /** Left out: `publish`. */
  readonly status?: 'publish' | 'draft' | 'private'
  /** Slug of a category; left out: the site's default. */
  readonly category?: 'pantry' | 'kitchen' | 'garden' | 'paper-ink'
  readonly palette: PaletteName
  readonly weather: 'sun' | 'rain' | 'snow' | 'night'
  /** One or two sentences for a list. */
  readonly excerpt: string
  /** Simple HTML. */
  readonly html: string
}
