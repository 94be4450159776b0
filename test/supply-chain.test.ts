import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

const root = fileURLToPath(new URL('../', import.meta.url))

interface LockedPackage {
  readonly license?: string
  readonly dev?: boolean
  readonly peer?: boolean
  /** A package of the workspace: a link, or its folder. */
  readonly link?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
}

const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const prefix = 'node_modules/'
const runtime = Object.entries(packages).filter(
  ([path, { dev, peer, devOptional, link }]) =>
    path.startsWith(prefix) && dev !== true && peer !== true && devOptional !== true && link !== true,
)
const nameOf = (path: string): string => path.slice(path.lastIndexOf(prefix) + prefix.length)

/** The table of SECURITY.md: licences by package. */
const listed = new Map<string, string>()
const section = /## Supply chain\n([\s\S]*)/.exec(readFileSync(`${root}SECURITY.md`, 'utf8'))?.[1] ?? ''
for (const [, names = '', licence = ''] of section.matchAll(/^\| (`.*?) \| ([^|]+) \|/gm))
  for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) listed.set(name, licence.trim())

test('SECURITY.md lists every package that runs in production, with its licence, and no other', () => {
  assert.ok(runtime.length > 10)
  const locked = runtime.map(([path, { license = '' }]) => [nameOf(path), license] as const)
  assert.deepEqual(
    [...listed].sort(([one], [other]) => (one < other ? -1 : 1)),
    locked.sort(([one], [other]) => (one < other ? -1 : 1)),
  )
})

test('no package that runs in production has an install script', () => {
  const withScript = runtime.filter(([path, { hasInstallScript }]) => {
    if (hasInstallScript === true) return true
    const manifest = `${root}${path}/package.json`
    if (!existsSync(manifest)) return false
    const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly scripts?: object }
    return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts)
  })
  assert.deepEqual(
    withScript.map(([path]) => nameOf(path)),
    [],
  )
})

test('npm run sbom lists exactly these packages, as JSON', () => {
  const { stdout, stderr, status } = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const { bomFormat, metadata, components, dependencies } = JSON.parse(stdout) as {
    readonly bomFormat: string
    readonly metadata: { readonly component: { readonly name: string } }
    readonly components: readonly { readonly 'bom-ref': string; readonly name: string }[]
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  }
  assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'as-rest-route'])
  assert.deepEqual(components.map(({ name }) => name).sort(), [...listed.keys()].sort())
  const refs = new Set(components.map((component) => component['bom-ref']))
  assert.ok(dependencies.length > refs.size)
  for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
})
