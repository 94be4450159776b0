import type { MetaEntry } from '../database/storage.js'
import { readMeta, typedMeta } from './meta.js'
import { convertedValue } from './meta-rules.js'
import type { MetaDeclaration } from './record-type.js'
import { UndeclaredNameError } from './undeclared-name-error.js'

/** Values by name with their rules and defaults. */
export type ValueDeclarations = Readonly<Record<string, MetaDeclaration>>

/** The option that declares the values, and what messages call one of them. */
interface ValueKind {
  readonly option: 'user_meta' | 'term_meta' | 'site_options'
  readonly noun: string
  readonly code: 'undeclared-metadata' | 'undeclared-option'
}

const valueKinds = {
  user_meta: { option: 'user_meta', noun: 'metadata of users', code: 'undeclared-metadata' },
  term_meta: { option: 'term_meta', noun: 'metadata of terms', code: 'undeclared-metadata' },
  site_options: { option: 'site_options', noun: 'option of the site', code: 'undeclared-option' },
} as const satisfies Record<ValueKind['option'], ValueKind>

/** The declarations in one of the options `user_meta`, `term_meta` and `site_options`. */
export class DeclaredValues {
  readonly #kind: ValueKind
  readonly #declarations: ReadonlyMap<string, MetaDeclaration>
  /** Whether the application sets the option. */
  readonly areDeclared: boolean

  constructor(option: ValueKind['option'], declarations?: ValueDeclarations) {
    this.#kind = valueKinds[option]
    this.#declarations = new Map(Object.entries(declarations ?? {}))
    this.areDeclared = declarations !== undefined
  }

  /** @throws UndeclaredNameError */
  require(name: string): void {
    if (this.#declarations.has(name)) return
    const { option, noun, code } = this.#kind
    const sentence = `There is no ${noun} '${name}'`
    const remedy = `Declare it in the option '${option}'.`
    throw new UndeclaredNameError(code, sentence, name, this.#declarations.keys(), remedy)
  }

  /** The value of a stored text, with its declared type; the default for null. The name must be declared. */
  read(name: string, text: string | null): unknown {
    const declaration = this.#declarations.get(name)
    if (text !== null && declaration !== undefined) return typedMeta(text, declaration)
    return readMeta([], { meta: this.#declarations }, [name])[name] ?? null
  }

  /** The values of the declared keys among these rows, with their types, and the defaults of other declared keys. */
  readAll(entries: readonly MetaEntry[]): Record<string, unknown> {
    const declared = entries.filter(({ key }) => this.#declarations.has(key))
    return readMeta(declared, { meta: this.#declarations })
  }

  /** @param path names the value in messages. @throws RecordRejectedError `invalid_meta_value`. */
  convert(path: string, name: string, value: unknown): unknown {
    return convertedValue(path, value, this.#declarations.get(name))
  }
}
