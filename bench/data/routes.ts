import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root, workFolder } from '../places.js'
import { built } from './built.js'

const perClass = 100

/**
 * Writes an application of so many routes, built to JavaScript as one would deploy it, a hundred to a class.
 * @returns its folder, relative to the project.
 */
export function makeRoutes(count: number): string {
  const folder = `${workFolder}routes-${count}/`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (let first = 1; first <= count; first += perClass) {
    const source = classOf(first, Math.min(count, first + perClass - 1))
    writeFileSync(`${folder}things-${first}.js`, built(source))
  }
  writeFileSync(`${folder}hello.js`, built(hello))
  return relative(root, folder)
}

const hello = `import { AsRestRoute, RestResponse } from 'as-rest-route'
export class HelloApi {
  @AsRestRoute({ namespace: 'bench/v1', route: '/hello', permission: 'public' })
  hello() { return new RestResponse({ hello: 'world' }) }
}`

function classOf(first: number, last: number): string {
  const methods = []
  for (let index = first; index <= last; index += 1) {
    methods.push(`
  @AsRestRoute({ namespace: 'scale/v1', route: '/things-${index}/(?P<id>\\\\d+)', permission: 'public',
    args: { count: { type: 'integer', minimum: 1, maximum: 100, default: 1 } } })
  thing${index}(request) { return new RestResponse({ id: request.get_param('id'), count: request.get_param('count') }) }`)
  }
  return `import { AsRestRoute, RestResponse } from 'as-rest-route'
export class Things${first} {${methods.join('\n')}
}`
}
