import { requireString } from '../base/value-type.js'
import type { Storage } from '../database/storage.js'
import { maybeSerialize, maybeUnserialize } from '../php/serialize.js'
import { isUtf8 } from '../php/text.js'
import { RecordRejectedError } from './record.js'

const maxNameLength = 191

/**
 * The options of a site: named values in WordPress's table `options`, such as settings. A handler class injects them:
 * `constructor(private readonly options = inject(SiteOptions)) {}`. The service itself keeps options there too, such as
 * `blogname`: prefix the names of your own, as in `library_loan_days`.
 */
export class SiteOptions {
  constructor(private readonly storage: Storage) {}

  /**
   * @returns the value as WordPress returns it: a text, or the list or map that was stored; null when there is no such
   *   option. A number or boolean comes back as text: `'3'`, `'1'`, `''`.
   * @throws TypeError for a name that is not a string.
   */
  async get(name: string): Promise<unknown> {
    requireString(name, 'The name of an option')
    return maybeUnserialize(await this.storage.options.read(name))
  }

  /**
   * Creates or replaces an option.
   * @param value text, a number, a boolean, or a list or map of such values.
   * @throws RecordRejectedError `invalid_option_name`, `invalid_option_value`.
   * @throws TypeError for null, undefined, a function or an instance of a class.
   */
  async set(name: string, value: unknown): Promise<void> {
    requireString(name, 'The name of an option')
    if (name.trim() === '' || [...name].length > maxNameLength || !isUtf8(name))
      throw new RecordRejectedError('invalid_option_name', 'The name of an option must have 1 to 191 characters.')
    const text = maybeSerialize(value)
    if (text === null) throw new TypeError(`The option '${name}' cannot be ${String(value)}. Call delete('${name}').`)
    if (!isUtf8(text))
      throw new RecordRejectedError('invalid_option_value', `The value of the option ${name} is not valid UTF-8.`)
    await this.storage.options.write(name, text)
  }

  /** @returns whether there was such an option. @throws TypeError for a name that is not a string. */
  async delete(name: string): Promise<boolean> {
    requireString(name, 'The name of an option')
    return this.storage.options.remove(name)
  }
}
