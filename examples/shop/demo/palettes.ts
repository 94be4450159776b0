/** The five colours a drawing is made of. */
export interface Palette {
  readonly paper: string
  readonly deep: string
  readonly main: string
  readonly light: string
  readonly accent: string
}

const colors = {
  plum: ['#f6eef5', '#4b2142', '#7b3b6d', '#c793bb', '#e2a33b'],
  honey: ['#fdf5e3', '#6b4510', '#d9952b', '#f3cf83', '#4f6d7a'],
  moss: ['#f0f4e8', '#2f4526', '#5f8a4a', '#b4cf9c', '#d9653b'],
  lime: ['#f6f8e4', '#4c5a13', '#93a82c', '#d3de86', '#c2553f'],
  brick: ['#fbefe9', '#5a2417', '#b4533a', '#e5a68f', '#3f6f73'],
  coral: ['#fff0ec', '#7a2a2a', '#e0604f', '#f7b3a4', '#2f7f86'],
  sky: ['#ebf4fa', '#1f4460', '#3f84b5', '#a7cfe8', '#e8a13d'],
  slate: ['#f0f2f4', '#2a333c', '#5c6b78', '#b3bfc9', '#d2803a'],
  sand: ['#faf5ec', '#5b4a32', '#b7996a', '#e3d2b0', '#7a5c8e'],
  night: ['#ecedf5', '#1b1f3b', '#3b4476', '#9aa2cf', '#e3b84f'],
} as const satisfies Record<string, readonly [string, string, string, string, string]>

export type PaletteName = keyof typeof colors

export function paletteOf(name: PaletteName): Palette {
  const [paper, deep, main, light, accent] = colors[name]
  return { paper, deep, main, light, accent }
}
