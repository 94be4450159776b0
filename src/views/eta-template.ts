import { readFileSync } from 'node:fs'
import { EtaParseError, type Eta, type TemplateFunction } from 'eta'

const identifier = /^[A-Za-z_$][\w$]*$/
/** Code that hands the context on, as a whole, to somebody else. */
const handsOn = /\b(?:it\b|include|layout|block)/
/** Kept for one template; an application renders each of its templates from one or two places. */
const maxVariants = 8
/** Of all names together: more come from no application's own code. */
const maxNamesLength = 500

/**
 * A compiled template. Eta looks names up by `with`, which takes half the time of a small template. One that keeps its
 * context to itself is therefore compiled once more for the names that it is given: `let { post } = it`.
 */
export class EtaTemplate {
  readonly #eta: Eta
  readonly #text: string
  readonly #options: { readonly async: true; readonly filepath: string }
  readonly #general: TemplateFunction
  readonly #handsOn: boolean
  readonly #variants = new Map<string, TemplateFunction>()

  /**
   * @param eta finds the names in a context by `with`.
   * @throws EtaParseError when the file is no template.
   */
  constructor(eta: Eta, filepath: string) {
    this.#eta = eta
    this.#text = readFileSync(filepath, 'utf8')
    this.#options = { async: true, filepath }
    this.#general = eta.compile(this.#text, this.#options)
    this.#handsOn = eta.parse(this.#text).some((part) => typeof part === 'object' && handsOn.test(part.val))
  }

  render(context: Readonly<Record<string, unknown>>): Promise<string> {
    // What is compiled to be asynchronous returns a promise, which Eta's types do not say.
    const made: unknown = this.#functionFor(Object.keys(context)).call(this.#eta, context, this.#options)
    return made as Promise<string>
  }

  #functionFor(names: readonly string[]): TemplateFunction {
    if (this.#handsOn) return this.#general
    const key = names.join()
    const known = this.#variants.get(key)
    if (known !== undefined) return known
    if (this.#variants.size >= maxVariants || key.length > maxNamesLength) return this.#general
    const made = this.#compiledFor(names)
    this.#variants.set(key, made)
    return made
  }

  #compiledFor(names: readonly string[]): TemplateFunction {
    // The names become code.
    if (!names.every((name) => identifier.test(name))) return this.#general
    const direct = this.#eta.withConfig({ useWith: false, functionHeader: `let { ${names.join(', ')} } = it;` })
    try {
      return direct.compile(this.#text, this.#options)
    } catch (error) {
      // A name is a word of the language, or the template declares it itself.
      if (error instanceof EtaParseError) return this.#general
      throw error
    }
  }
}
