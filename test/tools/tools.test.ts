// Each compiler, bundler and runtime that docs/tools.md names, on the package as npm delivers it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { run, serve, skip, succeed, Workshop, type RunOptions } from './workshop.js'

const workshop = new Workshop()
const cwd = workshop.folder
const node = process.execPath
const newest = workshop.program('node_modules/newest-node/bin/node')
after(() => workshop.remove())

before(async () => {
  if (skip) return
  const tarball = await workshop.pack()
  await workshop.install('.', {
    dependencies: {
      'as-rest-route': `file:${tarball}`,
      '@swc/cli': '^0.8.1',
      '@swc/core': '^1.16.0',
      '@types/node': '^20.19.0',
      esbuild: '^0.28.0',
      'newest-node': `npm:node-${process.platform}-${process.arch}@26`,
      tsx: '^4.23.0',
      'typescript-5.4': 'npm:typescript@~5.4.5',
      'typescript-5.9': 'npm:typescript@~5.9.3',
      'typescript-7': 'npm:typescript@^7.0.2',
    },
    optionalDependencies: { bun: '^1.4.0', deno: '^2.9.0' },
  })
  await workshop.install('vite7', { dependencies: { vite: '^7.3.0', vitest: '^4.1.0' } })
  await workshop.install('vite8', { dependencies: { vite: '^8.3.0', vitest: '^4.1.0' } })
  await workshop.install('vitest5', { dependencies: { vite: '^8.3.0', vitest: '^5.1.0' } })
  for (const fixture of ['app', 'legacy', 'swc', 'from-folder']) workshop.use(fixture)
  for (const folder of ['vite7', 'vite8', 'vitest5']) {
    workshop.use('vite', folder)
    workshop.use('app', join(folder, 'app'))
  }
})

/** Requests, each with its expected response. */
const questions: readonly (readonly [path: string, status: number, text: string])[] = [
  ['/hello/ada?word=please&times=2', 200, '{"text":"Hello ada, Hello ada"}'],
  ['/hello/ada?word=please', 200, '{"text":"Hello ada"}'],
  ['/hello/ada', 401, 'rest_forbidden'],
  ['/hello/ada?word=please&times=4', 400, 'rest_invalid_param'],
]

/** Asks a server over its socket, and logs in with a password. */
async function wrongResponses(url: string): Promise<string[]> {
  const wrong: string[] = []
  for (const [path, status, expected] of questions) {
    const response = await fetch(`${url}/wp-json/tools/v1${path}`)
    const text = await response.text()
    if (response.status !== status || !text.includes(expected)) wrong.push(`${path}: ${response.status} ${text}`)
  }
  const body = new URLSearchParams({ log: 'ada', pwd: 'correct horse' })
  const login = await fetch(`${url}/wp-login.php`, { method: 'POST', redirect: 'manual', body })
  if (login.status !== 302) wrong.push(`login: ${login.status}`)
  return wrong
}

/** Starts `main`, asks it, and stops it. @returns what it wrote. */
async function answersAsDeclared(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const server = await serve(program, args, { cwd, ...options })
  const wrong = await wrongResponses(server.url).catch((error: unknown) => [String(error)])
  const { code, output } = await server.stop()
  assert.deepEqual(wrong, [], output)
  assert.equal(code, 0, output)
  return output
}

/** Starts `faulty`, which is refused with the lines of the source. */
async function namesTheLines(program: string, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const { output } = await run(program, args, { cwd, ...options })
  assert.match(output, /app\/faulty-api\.ts:9 .*app\/faulty-api\.ts:4\b/, output)
}

for (const version of ['5.4', '5.9', '7']) {
  test(`the output of tsc ${version} runs on this Node and on the newest`, { skip }, async () => {
    const out = `out/tsc-${version}`
    const tsc = workshop.program(`node_modules/typescript-${version}/bin/tsc`)
    await succeed(node, [tsc, '-p', 'app', '--outDir', out], { cwd })
    for (const binary of [node, newest]) {
      await answersAsDeclared(binary, [`${out}/main.js`])
      await namesTheLines(binary, ['--enable-source-maps', `${out}/faulty.js`])
    }
  })
}

test('tsx runs the sources, also those of a folder', { skip }, async () => {
  await answersAsDeclared(node, ['--import', 'tsx', 'app/main.ts'])
  await namesTheLines(node, ['--import', 'tsx', 'app/faulty.ts'])
  await answersAsDeclared(node, ['--import', 'tsx', 'from-folder/main.ts'])
})

const esbuildOptions = ['--format=esm', '--sourcemap', '--log-level=warning']

test('esbuild without a target leaves decorators in its output', { skip }, async () => {
  const out = 'out/esbuild'
  await succeed(
    workshop.program('esbuild'),
    ['app/main.ts', 'app/hello-api.ts', `--outdir=${out}`, ...esbuildOptions],
    {
      cwd,
    },
  )
  const { code, output } = await run(node, [`${out}/hello-api.js`], { cwd })
  assert.equal(code, 1)
  assert.match(output, /@AsRestRoute\([^]*SyntaxError: Invalid or unexpected token/)
})

test('the output of esbuild for es2022 runs', { skip }, async () => {
  const out = 'out/esbuild-es2022'
  const sources = ['main', 'faulty', 'hello-api', 'faulty-api', 'guarded-api', 'greetings'].map(
    (name) => `app/${name}.ts`,
  )
  await succeed(workshop.program('esbuild'), [...sources, '--target=es2022', `--outdir=${out}`, ...esbuildOptions], {
    cwd,
  })
  await answersAsDeclared(node, [`${out}/main.js`])
  await namesTheLines(node, ['--enable-source-maps', `${out}/faulty.js`])
})

function swc(configuration: string, out: string) {
  const args = ['app', '-d', out, '--strip-leading-paths', '--config-file', `swc/${configuration}.swcrc`]
  return succeed(workshop.program('swc'), args, { cwd })
}

test('the output of swc with decoratorVersion 2023-11 runs', { skip }, async () => {
  await swc('standard', 'out/swc')
  await answersAsDeclared(node, ['out/swc/main.js'])
  await namesTheLines(node, ['--enable-source-maps', 'out/swc/faulty.js'])
})

for (const major of [7, 8]) {
  const folder = join(cwd, `vite${major}`)
  const vite = workshop.program(`vite${major}/node_modules/vite/bin/vite.js`)
  const vitest = workshop.program(`vite${major}/node_modules/vitest/vitest.mjs`)

  test(`the output of Vite ${major} with the plugin runs`, { skip }, async () => {
    await succeed(node, [vite, 'build'], { cwd: folder })
    await answersAsDeclared(node, ['dist/main.js'], { cwd: folder })
    await namesTheLines(node, ['--enable-source-maps', 'dist/faulty.js'], { cwd: folder })
  })

  test(`the plugin has the type of a plugin of Vite ${major}`, { skip }, async () => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
    const files = ['vite.config.ts', 'hello.test.ts']
    await succeed(
      node,
      [workshop.program('node_modules/typescript-7/bin/tsc'), ...options, '--types', 'node', ...files],
      {
        cwd: folder,
      },
    )
  })

  test(`Vitest on Vite ${major} runs with the plugin`, { skip }, async () => {
    const { output } = await succeed(node, [vitest, 'run'], { cwd: folder })
    assert.match(output, /2 passed/)
    assert.doesNotMatch(output, /without the plugin/)
  })
}

test('the output of Rolldown with the plugin runs', { skip }, async () => {
  const folder = join(cwd, 'vite8')
  await succeed(node, ['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.js'], { cwd: folder })
  await answersAsDeclared(node, ['rolled/main.js'], { cwd: folder })
  await namesTheLines(node, ['--enable-source-maps', 'rolled/faulty.js'], { cwd: folder })
})

test('Vitest 5 runs with the plugin', { skip }, async () => {
  const vitest = workshop.program('vitest5/node_modules/vitest/vitest.mjs')
  const { output } = await succeed(newest, [vitest, 'run'], { cwd: join(cwd, 'vitest5') })
  assert.match(output, /2 passed/)
})

test(
  'without the plugin, Vitest on Vite 8 cannot parse the file, and a warning names the plugin',
  { skip },
  async () => {
    const vitest = workshop.program('vite8/node_modules/vitest/vitest.mjs')
    const options = { cwd: join(cwd, 'vite8'), env: { WITHOUT_PLUGIN: '1' } }
    const { code, output } = await run(node, [vitest, 'run'], options)
    assert.equal(code, 1)
    assert.match(output, /SyntaxError: Invalid or unexpected token/)
    assert.match(
      output,
      /Warning: Vitest runs without the plugin of as-rest-route, .*vite\.config\.ts: import \{ asRestRoute \}/,
    )
  },
)

for (const [runtime, options] of [
  ['bun', []],
  ['deno', ['run', '--allow-all', '--sloppy-imports']],
] as const) {
  test(`${runtime} runs the sources, and the output of tsc`, { skip }, async (context) => {
    const program = workshop.program(runtime)
    if (!existsSync(program)) return context.skip(`${runtime} has no package for this machine`)
    await answersAsDeclared(program, [...options, 'app/main.ts'])
    await answersAsDeclared(program, [...options, 'out/tsc-5.9/main.js'])
    await namesTheLines(program, [...options, 'app/faulty.ts'])
    await answersAsDeclared(program, [...options, 'from-folder/main.ts'])
  })
}

const sentence = '@AsRestRoute needs standard decorators: remove "experimentalDecorators" from tsconfig.json'

for (const version of ['5.4', '5.9', '7']) {
  test(`with experimentalDecorators, tsc ${version} and its output name the setting to change`, { skip }, async () => {
    const out = `out/legacy-${version}`
    const tsc = workshop.program(`node_modules/typescript-${version}/bin/tsc`)
    const compiled = await run(node, [tsc, '-p', 'legacy', '--outDir', out], { cwd })
    assert.equal(compiled.code !== 0, true)
    assert.ok(compiled.output.replaceAll('\\"', '"').includes(sentence), compiled.output)
    const ran = await run(node, ['--enable-source-maps', `${out}/legacy.js`], { cwd })
    assert.equal(ran.code, 1)
    assert.ok(ran.output.includes(sentence), ran.output)
    assert.match(ran.output, /legacy\/legacy\.ts:5\b/)
  })
}

test('with experimentalDecorators, the output of every other tool names the setting to change', { skip }, async () => {
  await succeed(
    workshop.program('esbuild'),
    ['legacy/legacy.ts', '--target=es2022', '--outdir=out/legacy', '--format=esm'],
    {
      cwd,
    },
  )
  await swc('defaults', 'out/swc-defaults')
  const commands: readonly (readonly [string, readonly string[], string])[] = [
    [node, ['../out/legacy/legacy.js'], 'legacy'],
    [node, ['--import', 'tsx', 'legacy.ts'], 'legacy'],
    [node, ['out/swc-defaults/hello-api.js'], '.'],
    ...(existsSync(workshop.program('bun')) ? [[workshop.program('bun'), ['legacy.ts'], 'legacy'] as const] : []),
  ]
  for (const [program, args, folder] of commands) {
    const { code, output } = await run(program, args, { cwd: join(cwd, folder) })
    assert.equal(code, 1, output)
    assert.ok(output.includes(sentence), output)
  }
})

const requireInModules =
  '--banner:js=import { createRequire } from "node:module"; const require = createRequire(import.meta.url);'
const bundleOptions = ['--bundle', '--minify', '--keep-names', '--platform=node', '--format=esm', '--target=node20']
const wholeBundle = [...bundleOptions, '--external:libsql', '--external:tsx', requireInModules, '--sourcemap']

test('a minified bundle that leaves packages out runs, and names classes and lines', { skip }, async () => {
  const args = ['app/main.ts', 'app/faulty.ts', ...bundleOptions, '--packages=external', '--sourcemap']
  await succeed(workshop.program('esbuild'), [...args, '--outdir=out/bundle'], { cwd })
  await answersAsDeclared(node, ['out/bundle/main.js'])
  await namesTheLines(node, ['--enable-source-maps', 'out/bundle/faulty.js'])
  const { output } = await run(node, ['out/bundle/faulty.js'], { cwd })
  assert.match(output, /FaultyApi\.again /)
})

test('one minified file holds the whole application, package included', { skip }, async () => {
  const elsewhere = new Workshop()
  try {
    const out = `--outdir=${elsewhere.folder}`
    await succeed(workshop.program('esbuild'), ['app/main.ts', 'app/faulty.ts', ...wholeBundle, out], { cwd })
    elsewhere.write('package.json', '{ "type": "module" }')
    await answersAsDeclared(newest, ['main.js'], { cwd: elsewhere.folder })
    await namesTheLines(newest, ['--enable-source-maps', join(elsewhere.folder, 'faulty.js')])
  } finally {
    elsewhere.remove()
  }
})

test(
  'one minified file warns that passwords are checked without threads; with a second one it need not',
  { skip },
  async () => {
    const worker = 'hash-worker=node_modules/as-rest-route/dist/hash-worker.js'
    const esbuild = workshop.program('esbuild')
    await succeed(esbuild, ['main=app/main.ts', ...wholeBundle, '--outdir=out/one-file'], { cwd })
    await succeed(esbuild, ['main=app/main.ts', worker, ...wholeBundle, '--outdir=out/two-files'], { cwd })
    assert.match(
      await answersAsDeclared(node, ['out/one-file/main.js']),
      /hash-worker\.js does not lie beside the bundle/,
    )
    assert.doesNotMatch(await answersAsDeclared(node, ['out/two-files/main.js']), /hash-worker/)
  },
)

test('a bundle with a copy of the package of its own is refused where another one starts it', { skip }, async () => {
  const args = ['app/hello-api.ts', ...wholeBundle, '--outdir=out/copies']
  await succeed(workshop.program('esbuild'), args, { cwd })
  workshop.write('out/copies/main.js', workshop.read('out/tsc-5.9/main.js'))
  const { code, output } = await run(node, ['out/copies/main.js'], { cwd })
  assert.equal(code, 1)
  assert.match(
    output,
    /2 copies of the package are loaded: .*as-rest-route\/dist\/.*\.js, .*hello-api\.js\. Install one, and leave it out of bundles/,
  )
})
