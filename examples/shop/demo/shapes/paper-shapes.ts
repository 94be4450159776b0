import type { Draw } from '../shapes.js'

/** Things one writes, draws or folds with. */
export const paperShapes = {
  notebook: ({ deep, main, light, accent }) =>
    `<rect x="52" y="36" width="98" height="134" rx="6" fill="${main}"/><path d="M52 42q0-6 6-6h10v134H58q-6 0-6-6z" fill="${deep}"/><rect x="82" y="58" width="54" height="30" rx="3" fill="${light}"/><path d="M90 70h38M90 78h24" stroke="${deep}" stroke-width="3"/><path d="M128 36h9v68l-5-7-4 7z" fill="${accent}"/>`,
  ink: ({ deep, main, light, accent }) =>
    `<rect x="76" y="44" width="48" height="28" rx="5" fill="${deep}"/><path d="M84 72h32v14h-32z" fill="${light}"/><path d="M60 86h80q16 10 16 30v42q0 12-12 12H56q-12 0-12-12v-42q0-20 16-30z" fill="${light}"/><path d="M52 122q48 14 96 0v34q0 8-8 8H60q-8 0-8-8z" fill="${main}"/><path d="M100 100q16 20 0 30-16-10 0-30" fill="${accent}"/>`,
  pen: ({ deep, main, light, accent }) =>
    `<g transform="rotate(42 100 100)"><rect x="86" y="10" width="28" height="72" rx="12" fill="${main}"/><path d="M86 78h28l-4 52H90z" fill="${light}"/><path d="M90 130h20l-10 46z" fill="${accent}"/><path d="M100 140v34" stroke="${deep}" stroke-width="3"/><path d="M112 22v44" stroke="${deep}" stroke-width="5" stroke-linecap="round"/></g>`,
  envelope: ({ deep, main, light, accent }) =>
    `<rect x="28" y="62" width="144" height="98" rx="5" fill="${light}"/><path d="M28 66l72 56 72-56" stroke="${main}" stroke-width="7" fill="none"/><path d="M28 158l52-50M172 158l-52-50" stroke="${main}" stroke-width="4"/><circle cx="100" cy="124" r="15" fill="${accent}"/><path d="M93 124h14" stroke="${deep}" stroke-width="4"/>`,
  pencils: ({ deep, main, light, accent }) =>
    `<path d="M52 170V74l14-28 14 28v96zM86 170V62l14-28 14 28v108zM120 170V80l14-28 14 28v90z" fill="${light}"/><path d="M52 84h28v86H52zM120 90h28v80h-28z" fill="${main}"/><path d="M86 72h28v98H86z" fill="${accent}"/><path d="M61 56l5-10 5 10zM95 44l5-10 5 10zM129 62l5-10 5 10z" fill="${deep}"/>`,
  calendar: ({ deep, main, light, accent }) =>
    `<path d="M100 24L72 48h56z" fill="none" stroke="${deep}" stroke-width="4"/><rect x="42" y="46" width="116" height="124" rx="4" fill="#fff"/><path d="M42 50q0-4 4-4h108q4 0 4 4v40H42z" fill="${main}"/><circle cx="76" cy="72" r="12" fill="${light}"/><path d="M96 90l24-26 30 26z" fill="${deep}"/><path d="M54 108h92M54 124h92M54 140h92M54 156h60" stroke="${light}" stroke-width="6" stroke-dasharray="9 6"/><circle cx="118" cy="140" r="8" fill="${accent}"/>`,
  roll: ({ deep, main, light, accent }) =>
    `<path d="M40 120h120v50q-30-14-60 0t-60 0z" fill="${light}"/><rect x="30" y="66" width="140" height="56" rx="28" fill="${main}"/><circle cx="58" cy="94" r="28" fill="${light}"/><circle cx="58" cy="94" r="12" fill="${deep}"/><path d="M104 82l4 9 9 1-7 6 2 9-8-5-8 5 2-9-7-6 9-1zM144 82l4 9 9 1-7 6 2 9-8-5-8 5 2-9-7-6 9-1z" fill="${accent}"/>`,
  stamp: ({ deep, main, light, accent }) =>
    `<path d="M84 84q-20-46 16-50 36 4 16 50z" fill="${main}"/><path d="M78 84h44l8 32H70z" fill="${deep}"/><rect x="52" y="114" width="96" height="22" rx="4" fill="${main}"/><path d="M58 136h84v10H58z" fill="${light}"/><path d="M44 170q56-22 112 0z" fill="${accent}"/><path d="M90 48q-4 10 0 22" stroke="${light}" stroke-width="5" fill="none"/>`,
  palette: ({ deep, main, light, accent }) =>
    `<rect x="28" y="64" width="144" height="96" rx="8" fill="${deep}"/><rect x="36" y="72" width="128" height="80" rx="4" fill="#fff"/><path d="M44 80h22v28H44z" fill="${main}"/><path d="M74 80h22v28H74z" fill="${accent}"/><path d="M104 80h22v28h-22z" fill="${light}"/><path d="M134 80h22v28h-22z" fill="#d8b23c"/><path d="M44 116h22v28H44z" fill="#3f84b5"/><path d="M74 116h22v28H74z" fill="${deep}"/><path d="M104 116h22v28h-22z" fill="#7b3b6d"/><path d="M134 116h22v28h-22z" fill="#a3a3a3"/>`,
  crane: ({ deep, main, light, accent }) =>
    `<path d="M100 120L34 46l42 92z" fill="${light}"/><path d="M100 120l66-74-42 92z" fill="${main}"/><path d="M76 138l24-18 24 18-24 26z" fill="${deep}"/><path d="M124 138l50 8-20-22z" fill="${light}"/><path d="M76 138l-50-20 14-2 46 14z" fill="${accent}"/>`,
  ruler: ({ deep, main, light, accent }) =>
    `<g transform="rotate(-28 100 106)"><rect x="12" y="84" width="176" height="44" rx="3" fill="${main}"/><path d="M12 88h176" stroke="${light}" stroke-width="6"/><path d="M24 128v-22M46 128v-14M68 128v-22M90 128v-14M112 128v-22M134 128v-14M156 128v-22M178 128v-14" stroke="${deep}" stroke-width="4"/><circle cx="174" cy="98" r="5" fill="${accent}"/></g>`,
} satisfies Record<string, Draw>
