import { chanceOf } from './chance.js'
import { paletteOf } from './palettes.js'
import type { Post } from './post.js'

/** Width of a scene; it is 180 high. */
const width = 320

/** A row of houses below a hill, as the street looks from the shop: at night the windows are lit, in winter it snows. */
export function sceneOf({ image, palette, weather }: Pick<Post, 'image' | 'palette' | 'weather'>): string {
  const { paper, deep, main, light, accent } = paletteOf(palette)
  const chance = chanceOf(image)
  const dark = weather === 'night'
  const sun = `<circle cx="${whole(40 + chance() * 240)}" cy="${whole(26 + chance() * 24)}" r="${whole(12 + chance() * 8)}" fill="${dark ? paper : '#f2b544'}"/>`
  const hill = `<path d="M0 ${whole(96 + chance() * 20)}Q${whole(60 + chance() * 80)} ${whole(40 + chance() * 40)} 180 ${whole(90 + chance() * 20)}T320 ${whole(80 + chance() * 30)}V180H0z" fill="${light}" opacity="${dark ? '.35' : '.8'}"/>`
  const ground = `<rect y="156" width="320" height="24" fill="${dark ? deep : main}"/>`
  const houses = rowOfHouses(chance, {
    walls: [main, light, paper],
    roof: dark ? main : deep,
    window: dark ? accent : deep,
  })
  return `<rect width="320" height="180" fill="${dark ? deep : weather === 'snow' ? light : paper}"/>${weather === 'rain' ? '' : sun}${hill}${houses}${ground}${fallen(chance, weather, light)}`
}

interface HouseColors {
  readonly walls: readonly string[]
  readonly roof: string
  readonly window: string
}

function rowOfHouses(chance: () => number, { walls, roof, window }: HouseColors): string {
  const parts: string[] = []
  for (let x = whole(6 + chance() * 14); x < width - 40;) {
    const wide = whole(34 + chance() * 26)
    const top = whole(86 + chance() * 36)
    const wall = walls[Math.floor(chance() * walls.length)] ?? roof
    const ridge = top - whole(14 + chance() * 18)
    parts.push(
      `<path d="M${x} ${top}h${wide}V158H${x}z" fill="${wall}"/><path d="M${x - 3} ${top}l${whole(wide / 2 + 3)} ${ridge - top} ${whole(wide / 2 + 3)} ${top - ridge}z" fill="${roof}"/>`,
      `<path d="M${x + 7} ${top + 8}h8v10h-8zM${x + wide - 15} ${top + 8}h8v10h-8zM${x + whole(wide / 2) - 4} 142h9v16h-9z" fill="${window}"/>`,
    )
    x += wide + whole(2 + chance() * 12)
  }
  return parts.join('')
}

function fallen(chance: () => number, weather: Post['weather'], color: string): string {
  if (weather === 'rain') {
    const drops = Array.from({ length: 16 }, () => `M${whole(chance() * 320)} ${whole(chance() * 140)}l-5 14`)
    return `<path d="${drops.join('')}" stroke="${color}" stroke-width="2"/>`
  }
  if (weather !== 'snow') return ''
  const flakes = Array.from({ length: 18 }, () => `M${whole(chance() * 320)} ${whole(chance() * 150)}h0`)
  return `<path d="${flakes.join('')}" stroke="#fff" stroke-width="5" stroke-linecap="round"/>`
}

function whole(number: number): number {
  return Math.round(number)
}
