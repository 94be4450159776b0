import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project cannot be made there; the message says why and what to do. */
export class ProjectRefusedError extends Error {
  name = 'ProjectRefusedError'
}

const template = fileURLToPath(new URL('template', import.meta.url))

/**
 * Writes a new project, with the version of as-rest-route that this package has itself.
 * @param {string} folder new, or empty but for `.git`.
 * @returns {string} its absolute path.
 * @throws {ProjectRefusedError} when something is there already.
 */
export function createProject(folder) {
  const project = resolve(folder)
  refuseWhatIsThere(project, folder)
  cpSync(template, project, { recursive: true })
  // npm takes a file of this name out of every package.
  renameSync(join(project, '_gitignore'), join(project, '.gitignore'))
  const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  const manifest = join(project, 'package.json')
  const described = JSON.parse(readFileSync(manifest, 'utf8'))
  const written = {
    ...described,
    name: packageName(project),
    dependencies: { ...described.dependencies, 'as-rest-route': `^${version}` },
  }
  writeFileSync(manifest, `${JSON.stringify(written, null, 2)}\n`)
  const readme = join(project, 'README.md')
  writeFileSync(readme, readFileSync(readme, 'utf8').replace(/^# .*$/m, `# ${basename(project)}`))
  return project
}

/** @param {string} project @param {string} folder as it was given. */
function refuseWhatIsThere(project, folder) {
  if (!existsSync(project)) return
  if (!statSync(project).isDirectory())
    throw new ProjectRefusedError(`'${folder}' is a file. Give the name of a new folder.`)
  const entries = readdirSync(project).filter((name) => name !== '.git')
  if (entries.length === 0) return
  const shown = entries.length > 3 ? `${entries.slice(0, 3).join(', ')} and others` : entries.join(', ')
  throw new ProjectRefusedError(
    `'${folder}' is not empty: it holds ${shown}. Nothing was written. Give a new or an empty folder.`,
  )
}

/** What npm accepts as a name, as near to the folder's as it gets. @param {string} project */
function packageName(project) {
  const name = basename(project)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, 214)
  return name === '' || name === 'node_modules' || name === 'as-rest-route' ? 'my-api' : name
}
