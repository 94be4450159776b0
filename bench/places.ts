import { fileURLToPath } from 'node:url'

/** Folder of the project, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** Databases and generated applications; git ignores it. */
export const workFolder = `${root}data/bench/`

/** The built application of rows without cache; git ignores it. As deep as its sources, whose paths stay what they are. */
export const applicationFolder = `${root}bench/dist/`
