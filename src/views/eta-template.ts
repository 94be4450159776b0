import { readFileSync } from 'node:fs'
import { EtaParseError, type Eta, type TemplateFunction } from 'eta'

const identifier = /^[A-Za-z_$][\w$]*$/
/** Template code that uses the whole context object, or passes it to another template. */
const wholeContext = /\b(?:it\b|include|layout|block)/
const waits = /\bawait\b/
/** Maximum number of compiled variants of one template. An application renders a template from one or two places. */
const maxVariants = 8
/** Maximum length of the joined names of a context, in characters. No code of an application writes more names. */
const maxNamesLength = 500

/**
 * A compiled template. Eta finds names by a `with` statement, which takes half the rendering time of a small template.
 * A template that does not use its whole context is therefore also compiled for the names in the context: `let { post }
 * = it`. Each set of names is one variant. Where the template has no `await`, the variant renders without a promise.
 */
export class EtaTemplate {
  readonly #eta: Eta
  readonly #text: string
  readonly #options: { readonly async: true; readonly filepath: string }
  readonly #withFunction: TemplateFunction
  readonly #usesWholeContext: boolean
  readonly #waits: boolean
  readonly #variants = new Map<string, TemplateFunction>()

  /**
   * @param eta configured with `useWith`.
   * @throws Error when the file has a syntax error.
   */
  constructor(eta: Eta, filepath: string) {
    this.#eta = eta
    this.#text = readFileSync(filepath, 'utf8')
    this.#options = { async: true, filepath }
    this.#withFunction = compiled(eta, this.#text, this.#options)
    const code = eta.parse(this.#text).flatMap((part) => (typeof part === 'object' ? [part.val] : []))
    this.#usesWholeContext = code.some((part) => wholeContext.test(part))
    this.#waits = code.some((part) => waits.test(part))
  }

  /** @throws whatever the code of the template throws. */
  async render(context: Readonly<Record<string, unknown>>): Promise<string> {
    // With the option `async` the function returns a promise, although Eta's types say `string`.
    return this.#functionFor(Object.keys(context)).call(this.#eta, context, this.#options)
  }

  #functionFor(names: readonly string[]): TemplateFunction {
    if (this.#usesWholeContext) return this.#withFunction
    const key = names.join()
    const cached = this.#variants.get(key)
    if (cached !== undefined) return cached
    if (this.#variants.size >= maxVariants || key.length > maxNamesLength) return this.#withFunction
    const variant = this.#compileFor(names)
    this.#variants.set(key, variant)
    return variant
  }

  #compileFor(names: readonly string[]): TemplateFunction {
    // The names are inserted into code: a name that is no identifier could inject code.
    if (!names.every((name) => identifier.test(name))) return this.#withFunction
    const destructuring = this.#eta.withConfig({ useWith: false, functionHeader: `let { ${names.join(', ')} } = it;` })
    try {
      return destructuring.compile(this.#text, { ...this.#options, async: this.#waits })
    } catch (error) {
      // A name is a reserved word, or the template declares a variable of that name.
      if (error instanceof EtaParseError) return this.#withFunction
      throw error
    }
  }
}

function compiled(
  eta: Eta,
  text: string,
  options: { readonly async: true; readonly filepath: string },
): TemplateFunction {
  try {
    return eta.compile(text, options)
  } catch (error) {
    if (!(error instanceof EtaParseError)) throw error
    // The message continues with the whole compiled function.
    const reason = error.message.split('\n====', 1)[0] ?? ''
    throw new Error(
      `${options.filepath}: ${reason
        .trim()
        .replace('syntax\n', 'syntax:\n')
        .replaceAll(/\s*\n\s*/g, ' ')}`,
      { cause: error },
    )
  }
}
