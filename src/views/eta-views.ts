import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import { escHtml } from '../sanitizers/escape-html.js'
import { ViewEngineInterface } from './view-engine.js'
import { EtaTemplate } from './eta-template.js'
import { locateErrors } from './template-locations.js'

/** The name of a template: words separated by slashes. It cannot contain `..`, which would leave the folder. */
const templateName = /^[\w-]+(?:\/[\w-]+)*$/

/**
 * Renders Eta templates. `partials/card` is the file `<folder>/partials/card.eta`. `<%= %>` escapes its value; `<%~ %>`
 * does not.
 */
export class EtaViews extends ViewEngineInterface {
  readonly #eta: Eta
  readonly #shared: Record<string, unknown> = {}
  readonly #existing = new Set<string>()
  readonly #templates = new Map<string, EtaTemplate>()

  /**
   * @param folder contains the templates.
   * @param cache keeps compiled templates in memory. Without it, the next request sees a change of a file.
   */
  constructor(
    readonly folder: string,
    readonly cache: boolean,
  ) {
    super()
    this.#eta = new Eta({ views: folder, cache, useWith: true, autoEscape: true, escapeFunction: escHtml })
    locateErrors(this.#eta)
  }

  async render(template: string, context: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return this.#templateOf(template).render({ ...this.#shared, ...context })
  }

  async renderFirst(templates: readonly string[], context?: Readonly<Record<string, unknown>>): Promise<string> {
    const first = templates.find((template) => this.exists(template))
    if (first === undefined) throw new Error(`None of the templates ${templates.join(', ')} exists in ${this.folder}.`)
    return this.render(first, context)
  }

  exists(template: string): boolean {
    if (this.#existing.has(template)) return true
    const exists = templateName.test(template) && existsSync(join(this.folder, `${template}.eta`))
    // Missing templates are not remembered: a client may choose the name, and unlimited names would fill the memory.
    if (exists && this.cache) this.#existing.add(template)
    return exists
  }

  share(name: string, value: unknown): void {
    this.#shared[name] = value
  }

  #templateOf(name: string): EtaTemplate {
    const cached = this.#templates.get(name)
    if (cached !== undefined) return cached
    const file = join(this.folder, `${name}.eta`)
    if (!this.exists(name)) throw new Error(`There is no template '${name}' (${file}).`)
    const template = new EtaTemplate(this.#eta, file)
    if (this.cache) this.#templates.set(name, template)
    return template
  }
}
