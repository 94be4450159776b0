import { ViewEngineInterface } from './view-engine.js'

/**
 * The view engine of an application without templates. Rendering fails with an error that says how to add templates.
 */
export class NoViews extends ViewEngineInterface {
  async render(template: string): Promise<string> {
    throw new Error(
      `There is no template '${template}': the application has no folder of views. Make one beside its configuration, or give boot the option 'views'.`,
    )
  }

  renderFirst(templates: readonly string[]): Promise<string> {
    return this.render(templates.join("', '"))
  }

  exists(): boolean {
    return false
  }

  share(): void {}
}
