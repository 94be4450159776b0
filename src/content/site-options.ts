import { requireString } from '../base/value-type.js'
import type { Storage } from '../database/storage.js'
import { maybeSerialize, maybeUnserialize } from '../php/serialize.js'
import { isUtf8 } from '../php/text.js'
import { requireFinite } from './meta.js'
import { DeclaredValues } from './declared-values.js'
import { RecordRejectedError } from './record.js'
import type { NewOptionValue, OptionName, OptionValue } from './registered.js'

/** Maximum length of a name, in characters. */
const maxNameLength = 191

/**
 * The options of a site: named values in WordPress's table `options`, such as settings. A handler class injects them:
 * `constructor(private readonly options = inject(SiteOptions)) {}`. The service itself keeps options there too, such as
 * `blogname`: prefix the names of your own, as in `library_loan_days`.
 */
export class SiteOptions {
  readonly #storage: Storage
  readonly #declared: DeclaredValues

  constructor(storage: Storage, declared = new DeclaredValues('site_options')) {
    this.#storage = storage
    this.#declared = declared
  }

  /**
   * @returns the value with its declared type; its default, or null without one, when there is no such option. Where no options
   *   are declared, the value as WordPress returns it: a text, or the list or map that was stored. A number or boolean comes back
   *   as text then: `'3'`, `'1'`, `''`.
   * @throws UndeclaredNameError when options are declared, and not this one. @throws TypeError for a name that is not a string.
   */
  async get<const Name extends OptionName>(name: Name): Promise<OptionValue<Name>> {
    this.#require(name)
    const text = await this.#storage.options.read(name)
    return (this.#declared.areDeclared ? this.#declared.read(name, text) : maybeUnserialize(text)) as OptionValue<Name>
  }

  /**
   * Creates or replaces an option.
   * @param value text, a number, a boolean, or a list or map of such values.
   * @throws UndeclaredNameError when options are declared, and not this one.
   * @throws RecordRejectedError `invalid_option_name`, `invalid_option_value`; `invalid_meta_value` for a value against
   *   its rules, and for NaN or an infinite number in it.
   * @throws TypeError for null, undefined, a function or an instance of a class.
   */
  async set<const Name extends OptionName>(name: Name, value: NewOptionValue<Name>): Promise<void> {
    this.#require(name)
    if (name.trim() === '' || [...name].length > maxNameLength || !isUtf8(name))
      throw new RecordRejectedError('invalid_option_name', 'The name of an option must have 1 to 191 characters.')
    const converted = this.#declared.convert(name, name, value)
    const text = maybeSerialize(converted)
    if (text === null) throw new TypeError(`The option '${name}' cannot be ${String(value)}. Call delete('${name}').`)
    requireFinite(converted, name)
    if (!isUtf8(text))
      throw new RecordRejectedError('invalid_option_value', `The value of the option ${name} is not valid UTF-8.`)
    await this.#storage.options.write(name, text)
  }

  /**
   * @returns whether there was such an option.
   * @throws UndeclaredNameError when options are declared, and not this one. @throws TypeError for a name that is not a string.
   */
  async delete(name: OptionName): Promise<boolean> {
    this.#require(name)
    return this.#storage.options.remove(name)
  }

  #require(name: string): void {
    requireString(name, 'The name of an option')
    if (this.#declared.areDeclared) this.#declared.require(name)
  }
}
