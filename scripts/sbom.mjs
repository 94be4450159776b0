// Writes the list of the packages that run in production, in the form of CycloneDX: npm's own list of the whole lockfile,
// without what only development needs. `npm sbom --omit dev` also leaves out what development needs as well.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const prefix = 'node_modules/'

const { name, packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
const refs = new Set(
  Object.entries(packages)
    .filter(
      ([path, { dev, peer, devOptional, link }]) => path.startsWith(prefix) && !(dev || peer || devOptional || link),
    )
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf(prefix) + prefix.length)}@${version}`),
)

const output = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 100_000_000,
})
const list = JSON.parse(output)
const own = list.metadata.component
// npm takes the name of the folder.
own.name = name
list.components = list.components.filter((component) => refs.has(component['bom-ref']))
list.dependencies = list.dependencies
  .filter(({ ref }) => refs.has(ref) || ref === own['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
process.stdout.write(`${JSON.stringify(list, null, 2)}\n`)
