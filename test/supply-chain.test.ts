import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const [, section = ''] = readFileSync(`${root}SECURITY.md`, 'utf8').split('## Supply chain\n')
const [ofProduction = '', ofPeers = ''] = section.split('The application installs ')

/** A table of packages: licences by package. Each row has a reason. */
function licencesIn(table: string): ReadonlyMap<string, string> {
  const licences = new Map<string, string>()
  for (const row of table.split('\n').filter((line) => line.startsWith('| `'))) {
    const [, names = '', licence = '', reason = ''] = row.split('|').map((cell) => cell.trim())
    assert.match(reason, /\w{2} \S/, row)
    for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) licences.set(name, licence)
  }
  return licences
}
const listed = licencesIn(ofProduction)

test('SECURITY.md lists every package that runs in production, with its licence, and no other', () => {
  assert.ok(runtime.length > 10)
  const locked = runtime.map(([path, { license = '' }]) => [nameOf(path), license] as const)
  assert.deepEqual(
    [...listed].sort(([one], [other]) => (one < other ? -1 : 1)),
    locked.sort(([one], [other]) => (one < other ? -1 : 1)),
  )
})

test('SECURITY.md lists the packages that an application may install beside it, with their licences', () => {
  const { peerDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { peerDependencies: object }
  const locked = Object.keys(peerDependencies).map((name) => [name, packages[prefix + name]?.license] as const)
  assert.deepEqual(licencesIn(ofPeers), new Map(locked))
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

test('a release contains the list of its parts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    for (const name of ['package.json', 'package-lock.json', 'scripts', 'packages'])
      cpSync(`${root}${name}`, join(folder, name), { recursive: true })
    const { status, stderr } = spawnSync('npm', ['run', '--silent', 'prepublishOnly'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    const { components } = JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8')) as { components: object[] }
    assert.equal(components.length, listed.size)
    const packed = spawnSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }]
    assert.ok(files.some(({ path }) => path === 'sbom.json'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
