import type { Draw } from '../shapes.js'

/** Things that live outdoors. */
export const gardenShapes = {
  can: ({ deep, main, light, accent }) =>
    `<path d="M62 96q32-76 86 4" stroke="${deep}" stroke-width="9" fill="none"/><path d="M68 116L28 74" stroke="${main}" stroke-width="13"/><path d="M14 82l26-26 8 22z" fill="${accent}"/><path d="M66 94h90v66q0 10-10 10H76q-10 0-10-10z" fill="${main}"/><ellipse cx="111" cy="94" rx="45" ry="10" fill="${light}"/><path d="M66 134h90" stroke="${light}" stroke-width="6"/>`,
  packet: ({ deep, main, light, accent }) =>
    `<path d="M56 36h88v134H56z" fill="${light}"/><path d="M56 36h88v18H56z" fill="${deep}"/><path d="M100 150v-34" stroke="${deep}" stroke-width="6"/><path d="M100 140q-22-2-24-20 22 0 24 20M100 132q22-2 24-20-22 0-24 20" fill="${accent}"/><circle cx="100" cy="96" r="22" fill="${main}"/><circle cx="100" cy="96" r="9" fill="${deep}"/><path d="M70 66h60" stroke="${main}" stroke-width="6"/>`,
  trowel: ({ deep, main, light, accent }) =>
    `<g transform="rotate(38 100 100)"><path d="M72 96h56q6 52-28 84-34-32-28-84z" fill="${light}"/><path d="M100 106v52" stroke="${deep}" stroke-width="4"/><path d="M96 66h8v32h-8z" fill="${deep}"/><rect x="88" y="14" width="24" height="56" rx="11" fill="${main}"/><path d="M88 28h24" stroke="${accent}" stroke-width="6"/></g>`,
  plant: ({ deep, main, light, accent }) =>
    `<path d="M100 116V62" stroke="${deep}" stroke-width="6"/><path d="M100 98q-44-2-46-40 42 0 46 40M100 88q44-2 46-42-42 2-46 42M100 66q-18-20 0-42 18 22 0 42" fill="${accent}"/><path d="M54 112h92l-12 58H66z" fill="${main}"/><path d="M48 104h104v18H48z" fill="${light}"/>`,
  house: ({ deep, main, light, accent }) =>
    `<path d="M100 28l70 52H30z" fill="${main}"/><path d="M44 80h112v78H44z" fill="${light}"/><circle cx="78" cy="104" r="12" fill="${deep}"/><circle cx="122" cy="104" r="9" fill="${deep}"/><circle cx="100" cy="132" r="10" fill="${deep}"/><path d="M36 158h128v12H36z" fill="${accent}"/>`,
  spool: ({ deep, main, light, accent }) =>
    `<path d="M62 58h76v96H62z" fill="${main}"/><path d="M62 74h76M62 90h76M62 106h76M62 122h76M62 138h76" stroke="${light}" stroke-width="5"/><path d="M52 46h96v16H52zM52 154h96v16H52z" fill="${deep}"/><path d="M138 122q34 8 30 42" stroke="${accent}" stroke-width="5" fill="none" stroke-linecap="round"/>`,
  lantern: ({ deep, main, light, accent }) =>
    `<path d="M62 70q0-52 38-52t38 52" stroke="${deep}" stroke-width="6" fill="none"/><path d="M76 48h48l8 20H68z" fill="${main}"/><path d="M70 70h60q12 32-6 68H76q-18-36-6-68z" fill="${light}"/><path d="M100 86q20 26 0 44-20-18 0-44" fill="${accent}"/><path d="M62 138h76l8 32H54z" fill="${main}"/><path d="M60 70v68M140 70v68" stroke="${deep}" stroke-width="6"/>`,
  shears: ({ deep, main, light, accent }) =>
    `<path d="M82 96L60 26q30 18 40 66z" fill="${light}"/><path d="M118 96l22-70q-30 18-40 66z" fill="${deep}" opacity=".55"/><circle cx="100" cy="100" r="9" fill="${accent}"/><path d="M96 106q-46 10-40 44 14 24 32 4 12-18 10-44M104 106q46 10 40 44-14 24-32 4-12-18-10-44" stroke="${main}" stroke-width="9" fill="none"/>`,
  glove: ({ deep, main, light, accent }) =>
    `<path d="M70 130V66q0-10 9-10t9 10V44q0-10 9-10t9 10v20-16q0-10 9-10t9 10v24-8q0-9 8-9t8 9v44q0 24-12 42H74z" fill="${main}"/><path d="M72 118L50 96q-7-9 1-15t14 2l22 26" fill="${main}"/><path d="M72 136h66l10 34H62z" fill="${light}"/><path d="M70 140h72" stroke="${accent}" stroke-width="7"/><path d="M88 66v34M106 62v38M124 68v32" stroke="${deep}" stroke-width="3"/>`,
  gauge: ({ deep, main, light, accent }) =>
    `<path d="M100 96v88" stroke="${light}" stroke-width="8" stroke-linecap="round"/><circle cx="100" cy="68" r="46" fill="${main}"/><circle cx="100" cy="68" r="36" fill="#fff"/><path d="M100 68l20-18" stroke="${accent}" stroke-width="5" stroke-linecap="round"/><path d="M72 68h8M120 68h8M100 40v8" stroke="${deep}" stroke-width="4"/><path d="M50 170q50-20 100 0z" fill="${deep}"/>`,
} satisfies Record<string, Draw>
