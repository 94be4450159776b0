import { dirname, join } from 'node:path'
import { fault, type Fault } from '../base/fault.js'
import { Container, UnresolvedDependencyError, type Contract, type Provision } from '../container/container.js'
import { RecordStore } from '../content/record-store.js'
import { Terms } from '../content/terms.js'
import { Users } from '../content/users.js'
import { EtaViews } from '../views/eta-views.js'
import { NoViews } from '../views/no-views.js'
import { ViewEngineInterface } from '../views/view-engine.js'
import type { Content } from './content.js'
import { unresolvedFault } from './instances.js'
import { isProvider, pathOf } from './option-values.js'
import type { ResolvedOptions } from './options.js'
import { providerFault } from './provider.js'

/** What handler classes can inject, and what the service itself uses of it. */
export interface Implementations {
  readonly container: Container
  readonly records: RecordStore
  readonly views: ViewEngineInterface
  /** What is wrong with the option `provide`. */
  readonly faults: readonly Fault[]
}

/**
 * The contracts of the package with their implementations: those of the option `provide`, else those of the service.
 * @param configurationFile null without one.
 * @param areViewsFaulty whether a fault about the views was reported already, so that missing ones are not reported again.
 */
export function createImplementations(
  content: Content,
  options: ResolvedOptions,
  configurationFile: string | null,
  areViewsFaulty: boolean,
): Implementations {
  const provisions: readonly Provision[] = (options.provide ?? []).filter(isProvider)
  const ownViews = viewsOf(options)
  const providesViews = provisions.some(([contract]) => contract === ViewEngineInterface)
  const lacksViews = ownViews === null && !providesViews && !areViewsFaulty
  const defaultViews = ownViews ?? new NoViews()
  const container = new Container(
    [
      [RecordStore, content.records],
      [Terms, content.terms],
      [Users, content.users],
      ...(lacksViews ? [] : [[ViewEngineInterface, defaultViews] as const]),
      ...provisions,
    ],
    lacksViews ? new Map([[ViewEngineInterface, missingViews(configurationFile)]]) : new Map(),
  )
  const faults: Fault[] = []
  const onFault = (each: Fault) => faults.push(each)
  return {
    container,
    records: provided(RecordStore, content.records, container, onFault),
    views: lacksViews ? defaultViews : provided(ViewEngineInterface, defaultViews, container, onFault),
    faults,
  }
}

/** The engine for the templates of the application; null when it has none. */
function viewsOf({ views, environment }: ResolvedOptions): ViewEngineInterface | null {
  return views === undefined ? null : new EtaViews(pathOf(views), environment === 'production')
}

/** @param configurationFile a build that compiles the configuration may have left the folder of views behind. */
function missingViews(configurationFile: string | null): Fault {
  const expected =
    configurationFile === null ? '' : ` at ${join(dirname(configurationFile), 'views')}, beside the configuration`
  const remedy =
    configurationFile === null
      ? "Name it in the option 'views'"
      : "Make or copy it there, name it in the option 'views'"
  return fault(
    'views-missing',
    `there is no folder of templates${expected}. ${remedy}, or bring an engine: provide: [[ViewEngineInterface, YourEngine]].`,
  )
}

/** @param fallback takes the place of an implementation that cannot be built or lacks methods, so that the checks go on. */
function provided<T extends object>(
  contract: Contract<T>,
  fallback: T,
  dependencies: Container,
  onFault: (fault: Fault) => void,
): T {
  const refused = (fault: Fault): T => {
    onFault(fault)
    return fallback
  }
  try {
    const built = dependencies.get(contract)
    const fault = providerFault(contract, built)
    return fault === null ? built : refused(fault)
  } catch (error) {
    if (!(error instanceof UnresolvedDependencyError)) throw error
    return refused(unresolvedFault(error))
  }
}
