import type { ownContract } from '../base/complaint.js'

/**
 * Renders HTML from templates, by name without extension: `partials/card`. The default engine (Eta) escapes by default
 * and reads the folder of the boot option `views`. Bring another with `provide: [[ViewEngineInterface, YourEngine]]`.
 */
export abstract class ViewEngineInterface {
  declare static readonly [ownContract]: true
  /** @throws when there is no such template, naming it and the folder. */
  abstract render(template: string, context?: Readonly<Record<string, unknown>>): Promise<string>
  /** The first of these templates that exists. @throws when none does. */
  abstract renderFirst(templates: readonly string[], context?: Readonly<Record<string, unknown>>): Promise<string>
  abstract exists(template: string): boolean
  /** Makes a value readable in every template. */
  abstract share(name: string, value: unknown): void
}
