import type { Palette } from './palettes.js'
import { gardenShapes } from './shapes/garden-shapes.js'
import { kitchenShapes } from './shapes/kitchen-shapes.js'
import { pantryShapes } from './shapes/pantry-shapes.js'
import { paperShapes } from './shapes/paper-shapes.js'

/** Markup of one thing in these colours, on a square of 200, standing on y = 170. */
export type Draw = (palette: Palette) => string

export const shapes = { ...pantryShapes, ...kitchenShapes, ...gardenShapes, ...paperShapes } satisfies Record<
  string,
  Draw
>

export type ShapeName = keyof typeof shapes
