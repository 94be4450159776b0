import type { Draw } from '../shapes.js'

/** Things one eats or drinks, standing on a shelf at y = 170 of 200. */
export const pantryShapes = {
  jar: ({ deep, main, light, accent }) =>
    `<rect x="68" y="42" width="64" height="18" rx="4" fill="${accent}"/><path d="M64 62h72l8 18v80q0 10-10 10H66q-10 0-10-10V80z" fill="${light}"/><path d="M62 86h76v70q0 8-8 8H70q-8 0-8-8z" fill="${main}"/><rect x="72" y="104" width="56" height="36" rx="3" fill="#fff"/><path d="M82 117h36M88 127h24" stroke="${deep}" stroke-width="4"/>`,
  loaf: ({ deep, main, light }) =>
    `<path d="M28 170q-12-74 72-82 84 8 72 82z" fill="${main}"/><path d="M40 158q-4-52 60-60 64 8 60 60z" fill="${light}" opacity=".55"/><path d="M64 142l22-36M94 144l22-38M124 144l18-32" stroke="${deep}" stroke-width="6" stroke-linecap="round"/>`,
  tin: ({ deep, main, light, accent }) =>
    `<rect x="52" y="66" width="96" height="104" fill="${main}"/><ellipse cx="100" cy="170" rx="48" ry="10" fill="${deep}"/><rect x="52" y="92" width="96" height="50" fill="${light}"/><circle cx="100" cy="117" r="17" fill="${accent}"/><ellipse cx="100" cy="66" rx="48" ry="12" fill="${deep}"/><ellipse cx="100" cy="64" rx="40" ry="8" fill="${light}"/>`,
  sack: ({ deep, main, light, accent }) =>
    `<path d="M66 62q-34 42-26 98 2 10 12 10h96q10 0 12-10 8-56-26-98z" fill="${main}"/><path d="M62 62q38-14 76 0l12-22q-50-14-100 0z" fill="${light}"/><path d="M62 64q38 12 76 0" stroke="${accent}" stroke-width="7" fill="none"/><circle cx="100" cy="120" r="24" fill="${light}"/><path d="M88 122q12-20 24 0-12 14-24 0" fill="${deep}"/>`,
  tub: ({ deep, main, light, accent }) =>
    `<path d="M46 78h108l-12 92H58z" fill="${main}"/><ellipse cx="100" cy="78" rx="54" ry="15" fill="${light}"/><path d="M58 76q20-18 42-6t40-2q6 14-40 16-38 0-42-8" fill="${deep}"/><path d="M50 104h100M54 140h92" stroke="${accent}" stroke-width="6"/>`,
  bottle: ({ deep, main, light, accent }) =>
    `<rect x="88" y="22" width="24" height="16" rx="3" fill="${accent}"/><path d="M90 38h20v34q22 14 22 36v52q0 10-10 10H78q-10 0-10-10v-52q0-22 22-36z" fill="${light}"/><path d="M74 108q26-12 52 0v50q0 6-6 6H80q-6 0-6-6z" fill="${main}"/><rect x="78" y="118" width="44" height="30" fill="#fff"/><path d="M86 128h28M90 138h20" stroke="${deep}" stroke-width="4"/>`,
  wedge: ({ deep, main, light, accent }) =>
    `<path d="M24 128L150 66q28 8 26 44z" fill="${light}"/><path d="M24 128l152-18v42q0 8-8 10L24 170z" fill="${main}"/><path d="M150 66q28 8 26 44v42q0 8-8 10" stroke="${deep}" stroke-width="6" fill="none"/><circle cx="78" cy="146" r="9" fill="${accent}" opacity=".5"/><circle cx="130" cy="134" r="6" fill="${accent}" opacity=".5"/>`,
  box: ({ deep, main, light, accent }) =>
    `<path d="M36 88h128v82H36z" fill="${main}"/><path d="M36 88l16-26h96l16 26z" fill="${light}"/><path d="M92 62h16v108H92z" fill="${accent}" opacity=".8"/><path d="M50 150h28M50 138h20" stroke="${deep}" stroke-width="5"/><circle cx="138" cy="124" r="12" fill="${light}"/>`,
  bulb: ({ deep, main, light, accent }) =>
    `<path d="M98 70q-4-24 8-40" stroke="${accent}" stroke-width="8" fill="none" stroke-linecap="round"/><path d="M100 66q-62 34-54 76 6 28 54 28t54-28q8-42-54-76z" fill="${light}"/><path d="M100 66q-30 40-26 102M100 66q30 40 26 102" stroke="${main}" stroke-width="7" fill="none"/><path d="M84 170q16 14 32 0" stroke="${deep}" stroke-width="5" fill="none"/>`,
} satisfies Record<string, Draw>
