import { suggestion } from '../base/nearest.js'
import type { ThrownErrorCode } from '../base/thrown-errors.js'

/** The codes of an {@link UndeclaredNameError}. */
export type UndeclaredNameCode = Extract<ThrownErrorCode, `undeclared-${string}`>

/**
 * The application has used a name that it does not declare: a record type, a status, a key of metadata, a taxonomy or a sort
 * order. The message has the nearest name, and where names are declared. Nothing was read or written. In a
 * response it is a 500: a name that a client may choose needs an `enum` in `args`.
 */
export class UndeclaredNameError extends RangeError {
  override readonly name = 'UndeclaredNameError'

  /**
   * @param sentence without its full stop.
   * @param misspelt the undeclared name. @param names the declared names, of which the message suggests the nearest.
   * @param place a sentence that says where names are declared; empty for none.
   */
  constructor(
    readonly code: UndeclaredNameCode,
    sentence: string,
    misspelt: string,
    names: Iterable<string>,
    place = '',
  ) {
    super(`${sentence}.${suggestion(misspelt, names)}${place === '' ? '' : ` ${place}`}`)
  }
}
