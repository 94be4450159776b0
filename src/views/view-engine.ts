import type { ownContract } from '../base/complaint.js'

/**
 * Renders HTML from templates. A template's name has no file extension: `partials/card`. The default engine is Eta: it
 * escapes values by default and reads the folder of the boot option `views`. The option
 * `provide: [[ViewEngineInterface, YourEngine]]` replaces it.
 */
export abstract class ViewEngineInterface {
  declare static readonly [ownContract]: true
  /** @throws Error when the template does not exist. The message names the template and the folder. */
  abstract render(template: string, context?: Readonly<Record<string, unknown>>): Promise<string>
  /** Renders the first of these templates that exists. @throws Error when none exists. */
  abstract renderFirst(templates: readonly string[], context?: Readonly<Record<string, unknown>>): Promise<string>
  abstract exists(template: string): boolean
  /**
   * Adds a value to the context of every template. A value of the same name in the context of `render` takes
   * precedence.
   */
  abstract share(name: string, value: unknown): void
}
