import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import { escHtml } from '../sanitizers/escape-html.js'
import { ViewEngineInterface } from './view-engine.js'
import { EtaTemplate } from './eta-template.js'

/** A template's name: folders and words, never a way out of the folder. */
const templateName = /^[\w-]+(?:\/[\w-]+)*$/

/** Eta templates, `partials/card` being `<folder>/partials/card.eta`. Output is escaped unless a template says `<%~`. */
export class EtaViews extends ViewEngineInterface {
  readonly #eta: Eta
  readonly #shared: Record<string, unknown> = {}
  readonly #known = new Set<string>()
  readonly #templates = new Map<string, EtaTemplate>()

  /**
   * @param folder of the templates.
   * @param cache compiled templates are kept; off, a change is seen at the next request.
   */
  constructor(
    readonly folder: string,
    readonly cache: boolean,
  ) {
    super()
    this.#eta = new Eta({ views: folder, cache, useWith: true, autoEscape: true, escapeFunction: escHtml })
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
    if (this.#known.has(template)) return true
    const found = templateName.test(template) && existsSync(join(this.folder, `${template}.eta`))
    // Only those that are there: a caller may choose the name, and there is no end of names that are not.
    if (found && this.cache) this.#known.add(template)
    return found
  }

  share(name: string, value: unknown): void {
    this.#shared[name] = value
  }

  #templateOf(template: string): EtaTemplate {
    const known = this.#templates.get(template)
    if (known !== undefined) return known
    const file = join(this.folder, `${template}.eta`)
    if (!this.exists(template)) throw new Error(`There is no template '${template}' (${file}).`)
    const made = new EtaTemplate(this.#eta, file)
    if (this.cache) this.#templates.set(template, made)
    return made
  }
}
