import type { Draw } from '../shapes.js'

/** Things one cooks with. */
export const kitchenShapes = {
  mug: ({ deep, main, light }) =>
    `<path d="M138 92q38-6 38 26t-40 28" stroke="${deep}" stroke-width="11" fill="none"/><path d="M48 66h96v90q0 14-14 14H62q-14 0-14-14z" fill="${main}"/><ellipse cx="96" cy="66" rx="48" ry="12" fill="${light}"/><path d="M64 92v50" stroke="#fff" stroke-width="6" opacity=".5" stroke-linecap="round"/>`,
  pan: ({ deep, main, light, accent }) =>
    `<path d="M132 124l52-52" stroke="${accent}" stroke-width="14" stroke-linecap="round"/><circle cx="86" cy="118" r="58" fill="${deep}"/><circle cx="86" cy="118" r="46" fill="${main}"/><path d="M58 104q8-18 28-20" stroke="${light}" stroke-width="6" fill="none" stroke-linecap="round"/>`,
  knife: ({ deep, main, light, accent }) =>
    `<path d="M40 150l92-98q22 10 8 34L70 156z" fill="${light}"/><path d="M40 150l92-98" stroke="#fff" stroke-width="4"/><path d="M66 128l20 20-34 34q-12 4-18-4t-2-16z" fill="${main}"/><circle cx="60" cy="156" r="4" fill="${accent}"/><circle cx="48" cy="168" r="4" fill="${accent}"/><path d="M66 128l20 20" stroke="${deep}" stroke-width="6"/>`,
  cloth: ({ deep, main, light, accent }) =>
    `<path d="M46 48h108v108q-18 16-36 4t-36 6-36-4z" fill="${light}"/><path d="M62 48v120M138 48v112" stroke="${main}" stroke-width="8"/><path d="M46 78h108M46 132h108" stroke="${accent}" stroke-width="5"/><path d="M40 48h120" stroke="${deep}" stroke-width="8" stroke-linecap="round"/>`,
  teapot: ({ deep, main, light, accent }) =>
    `<path d="M42 100q-26 0-24 30t34 28" stroke="${deep}" stroke-width="10" fill="none"/><path d="M148 128q22-6 32-46l-16 2q-8 22-26 24z" fill="${main}"/><ellipse cx="98" cy="124" rx="60" ry="46" fill="${main}"/><path d="M64 86q34-22 68 0-34 14-68 0" fill="${deep}"/><circle cx="98" cy="68" r="9" fill="${accent}"/><path d="M60 112q8-14 22-18" stroke="${light}" stroke-width="7" fill="none" stroke-linecap="round"/>`,
  bowl: ({ deep, main, light, accent }) =>
    `<path d="M26 92h148q-6 78-74 78T26 92z" fill="${main}"/><ellipse cx="100" cy="92" rx="74" ry="16" fill="${light}"/><path d="M36 118q64 22 128 0" stroke="${accent}" stroke-width="6" fill="none"/><path d="M72 170h56" stroke="${deep}" stroke-width="8" stroke-linecap="round"/>`,
  board: ({ deep, main, light }) =>
    `<rect x="34" y="58" width="132" height="104" rx="12" fill="${main}"/><path d="M34 92h132M34 126h132M68 58v34M112 58v34M90 92v34M140 92v34M62 126v36M118 126v36" stroke="${light}" stroke-width="4"/><circle cx="150" cy="74" r="7" fill="${deep}"/>`,
  pot: ({ deep, main, light, accent }) =>
    `<path d="M30 104h140q4 66-42 66H72q-46 0-42-66z" fill="${main}"/><path d="M42 96q4-38 58-38t58 38z" fill="${deep}"/><rect x="88" y="44" width="24" height="14" rx="6" fill="${accent}"/><path d="M24 100h152" stroke="${light}" stroke-width="8" stroke-linecap="round"/><path d="M54 136q12-10 24 0t24 0 24 0 20 0" stroke="${light}" stroke-width="4" fill="none"/>`,
  scale: ({ deep, main, light, accent }) =>
    `<path d="M46 60h108l-14 20H60z" fill="${light}"/><path d="M94 78h12v16H94z" fill="${deep}"/><path d="M58 94h84l16 76H42z" fill="${main}"/><circle cx="100" cy="132" r="28" fill="#fff"/><path d="M100 132l14-18" stroke="${accent}" stroke-width="5" stroke-linecap="round"/><path d="M100 108v6M76 132h6M118 132h6" stroke="${deep}" stroke-width="3"/>`,
  cup: ({ deep, main, light, accent }) =>
    `<ellipse cx="100" cy="72" rx="26" ry="34" fill="#fff"/><path d="M62 84h76q0 46-30 52v16q20 4 22 18H70q2-14 22-18v-16q-30-6-30-52z" fill="${main}"/><path d="M64 98h72" stroke="${accent}" stroke-width="6"/><path d="M78 112q4 10 14 14" stroke="${light}" stroke-width="5" fill="none"/><path d="M70 170h60" stroke="${deep}" stroke-width="5"/>`,
  ladle: ({ deep, main, light, accent }) =>
    `<path d="M132 34v96" stroke="${main}" stroke-width="9" stroke-linecap="round"/><path d="M54 118h82q0 48-41 48t-41-48z" fill="${main}"/><ellipse cx="95" cy="118" rx="41" ry="10" fill="${light}"/><path d="M132 34q0-14 14-14t14 14" stroke="${accent}" stroke-width="8" fill="none" stroke-linecap="round"/><path d="M66 140q6 14 18 18" stroke="${deep}" stroke-width="4" fill="none"/>`,
  moka: ({ deep, main, light, accent }) =>
    `<path d="M140 62q34 2 28 56" stroke="${deep}" stroke-width="11" fill="none" stroke-linecap="round"/><path d="M62 54h78l-14 54H76z" fill="${main}"/><path d="M76 114h50l14 56H62z" fill="${light}"/><path d="M74 104h54v12H74z" fill="${deep}"/><path d="M62 54L46 64l22 12z" fill="${main}"/><circle cx="101" cy="46" r="8" fill="${accent}"/><path d="M101 54v50M101 116v54" stroke="${deep}" stroke-width="3" opacity=".5"/>`,
  pin: ({ deep, main, light }) =>
    `<g transform="rotate(-32 100 110)"><path d="M14 110q8-22 50-24h72q42 2 50 24-8 22-50 24H64q-42-2-50-24z" fill="${main}"/><path d="M40 102q60-12 120 0" stroke="${light}" stroke-width="6" fill="none" stroke-linecap="round"/><path d="M60 124h80" stroke="${deep}" stroke-width="3" opacity=".4"/></g>`,
} satisfies Record<string, Draw>
