// What the types of declarations cost the compiler: `node bench/types/run.mjs [typescript54|typescript|typescript7 ...]`.
// Instantiations do not depend on the machine; check time does. The package's own declarations are measured with no
// route at all and subtracted.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const counts = [10, 200, 1000]
const routesPerClass = 10
/** Most instantiations that one route may cost. */
const limit = 1500

/** As in the reference application: every fourth route lists with four arguments, writes with three, shows one, removes one. */
const shapes = [
  {
    route: (n) => `'/list-${n}'`,
    rest: `permission: 'public', args: {
      per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 }, page: { type: 'integer', default: 1 },
      category: { type: 'string', sanitize_callback: 'sanitize_text_field' },
      orderby: { type: 'string', default: 'date', enum: ['date', 'title', 'price'] } }`,
    request: `{ per_page: number; page: number; category: string | null; orderby: 'date' | 'title' | 'price' }`,
    name: 'per_page',
  },
  {
    route: (n) => `'/write-${n}'`,
    rest: `method: 'POST', permission: 'mayWrite', args: {
      title: { type: 'string', required: true }, content: { type: 'string', default: '' },
      price: { type: 'number', required: true } }`,
    request: `{ title: string; content: string; price: number }`,
    name: 'price',
  },
  {
    route: (n) => `'/show-${n}/(?P<id>\\\\d+)(?:/(?P<part>[a-z-]+))?'`,
    rest: `permission: 'public'`,
    request: `{ id: string; part: string | null }`,
    name: 'id',
  },
  {
    route: (n) => `'/remove-${n}/(?P<id>\\\\d+)'`,
    rest: `method: 'DELETE', permission: 'mayRemove'`,
    request: `{ id: string }`,
    name: 'id',
  },
]

const declarationOf = (n) => {
  const shape = shapes[n % shapes.length]
  return `{ namespace: 'shop/v1', route: ${shape.route(n)}, ${shape.rest} }`
}

/** The schemas that the routes of one class share, as those of one resource do. */
const sharedSchemas = (start) => `const item${start} = { type: 'object', properties: {
    id: { type: 'integer', required: true }, title: { type: 'string', required: true }, n${start}: { type: 'number' },
    status: { type: 'string', enum: ['draft', 'publish'] }, tags: { type: 'array', items: { type: 'string' } },
    maker: { type: 'object', properties: { name: { type: 'string', required: true } } } } } as const
  const failed${start} = { type: 'object', properties: { error: { type: 'string', required: true } } } as const`
const isList = (n) => n % shapes.length === 0
const responsesOf = (n) => {
  const start = n - (n % routesPerClass)
  return `responses: { 200: ${isList(n) ? `{ type: 'array', items: item${start} }` : `item${start}`}, 404: failed${start} }`
}
const responseOf = (n) => {
  const item = `{ id: ${n}, title: 'a', status: 'draft', tags: ['a'], maker: { name: 'a' } }`
  return `if (request.get_param('${shapes[n % shapes.length].name}') === null) return new RestResponse({ error: 'none' }, 404)
    return new RestResponse(${isList(n) ? `[${item}]` : item})`
}
/** A declared record type for each class, as for each resource. */
const typeOf = (start) => `kind${start}: { statuses: ['sold_out'], taxonomies: ['group${start}'], meta: {
    price: { type: 'number', default: 0 }, n${start}: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } } }`
/** What a handler reads or writes: a list, a new record, a single record, a change. */
const recordsOf = (n) => {
  const start = n - (n % routesPerClass)
  const type = `type: 'kind${start}'`
  const calls = [
    `const [first] = await this.records.list({ ${type}, status: 'sold_out', where: { price: { from: 1 } },
      orderby: { meta: 'n${start}' }, fields: ['title', 'meta'], meta_keys: ['price'] })
    const price: number | undefined = first?.meta.price`,
    `const { meta } = await this.records.insert({ ${type}, title: 'a', meta: { price: 1, tags: ['a'] } })
    const price: number = meta.price`,
    `const one = await this.records.get(1, { ${type}, fields: ['meta'] })
    const price: number | undefined = one?.meta.price`,
    `const one = await this.records.update(1, { meta: { n${start}: 1 } }, { if: { ${type} } })
    const price: number | undefined = one?.meta.price`,
  ]
  return calls[n % shapes.length]
}
const bareResponseOf = (n) => `return new RestResponse(request.get_param('${shapes[n % shapes.length].name}'))`

/** The request's type written by the author, or derived from the declaration, or that with response schemas, or that with typed records. */
const styles = {
  inline: (n) => ({
    before: '',
    declaration: declarationOf(n),
    request: `RestRequest<${shapes[n % shapes.length].request}>`,
    response: bareResponseOf(n),
  }),
  derived: (n) => ({
    before: `const r${n} = route(${declarationOf(n)})`,
    declaration: `r${n}`,
    request: `RequestOf<typeof r${n}>`,
    response: bareResponseOf(n),
  }),
  answered: (n) => ({
    before: `const r${n} = route(${declarationOf(n).replace(/}$/, `, ${responsesOf(n)} }`)})`,
    declaration: `r${n}`,
    request: `RequestOf<typeof r${n}>`,
    response: responseOf(n),
  }),
  records: (n) => ({
    ...styles.answered(n),
    response: `${recordsOf(n)}
    if (price === 3) return new RestResponse({ error: 'none' }, 404)
    ${responseOf(n)}`,
    isAsync: true,
  }),
}

function sourceOf(style, count) {
  const parts = [`import { AsRestRoute, RestResponse, route, type RequestOf, type RestRequest } from 'as-rest-route'`]
  if (style === 'records') {
    parts.push(`import { defineContent, inject, RecordStore } from 'as-rest-route'`)
    const starts = Array.from({ length: Math.ceil(count / routesPerClass) }, (_, index) => index * routesPerClass)
    parts.push(
      `const content = defineContent({ record_types: { ${starts.map(typeOf).join(', ')} } })`,
      `declare module 'as-rest-route' { interface Register { content: typeof content } }`,
    )
  }
  for (let start = 0; start < count; start += routesPerClass) {
    const routes = Array.from({ length: Math.min(routesPerClass, count - start) }, (_, index) => start + index)
    if (style === 'answered' || style === 'records') parts.push(sharedSchemas(start))
    parts.push(...routes.map((n) => styles[style](n).before))
    parts.push(`export class Api${start} {`)
    if (style === 'records') parts.push(`  constructor(private readonly records = inject(RecordStore)) {}`)
    for (const n of routes) {
      const { declaration, request, response, isAsync = false } = styles[style](n)
      parts.push(`  @AsRestRoute(${declaration})`)
      parts.push(`  ${isAsync ? 'async ' : ''}handle${n}(request: ${request}) { ${response} }`)
    }
    parts.push(
      `  mayWrite() { return true }`,
      `  mayRemove(request: RestRequest<{ id: string }>) { return request.get_param('id') !== '' }`,
      `}`,
    )
  }
  return parts.join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-bench-'))
const installed = join(folder, 'node_modules/as-rest-route')
const print = (line) => process.stdout.write(`${line}\n`)
const complain = (line) => process.stderr.write(`${line}\n`)
const compilerOf = (name) => join(root, 'node_modules', name, 'bin/tsc')

/** tsc exits with 1 when it finds faults; for building declarations that does not matter here. */
function tsc(name, args, mayFail = false) {
  try {
    return execFileSync(process.execPath, [compilerOf(name), ...args], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    })
  } catch (error) {
    if (mayFail) return error.stdout
    complain(error.stdout)
    throw new Error(`${name} refuses the generated routes`, { cause: error })
  }
}

function measure(compiler, text) {
  writeFileSync(join(folder, 'routes.ts'), text)
  const output = tsc(compiler, ['-p', folder, '--extendedDiagnostics'])
  const figure = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(output)?.[1])
  return { instantiations: figure('Instantiations'), seconds: figure('Check time') }
}

function install() {
  mkdirSync(installed, { recursive: true })
  for (const name of ['@types', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  tsc(
    'typescript',
    [
      '-p',
      join(root, 'tsconfig.build.json'),
      '--emitDeclarationOnly',
      '--sourceMap',
      'false',
      '--inlineSources',
      'false',
      '--outDir',
      join(installed, 'dist'),
    ],
    true,
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['routes.ts'] }))
}

const compilers = process.argv.length > 2 ? process.argv.slice(2) : ['typescript54', 'typescript', 'typescript7']
let isOver = false
try {
  install()
  print('compiler  style    routes  instantiations  per route  check time')
  for (const compiler of compilers) {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', compiler, 'package.json'), 'utf8'))
    const base = measure(compiler, sourceOf('inline', 0))
    for (const style of Object.keys(styles)) {
      for (const count of counts) {
        const { instantiations, seconds } = measure(compiler, sourceOf(style, count))
        const perRoute = Math.round((instantiations - base.instantiations) / count)
        // What the package's types cost once counts for a whole route where there are ten.
        if (count >= 200 && perRoute > limit) isOver = true
        print(
          `${version.padEnd(9)} ${style.padEnd(8)} ${String(count).padStart(6)} ${String(instantiations).padStart(15)} ${String(perRoute).padStart(10)} ${seconds.toFixed(2).padStart(9)} s`,
        )
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (isOver) {
  complain(`A route costs more than ${limit} instantiations.`)
  process.exit(1)
}
