import { setTimeout as delay } from 'node:timers/promises'
import { abortable } from '../base/abortable.js'
import { fault } from '../base/fault.js'
import { messageOf } from '../base/thrown-text.js'
import type { BuiltInstance, Container } from '../container/container.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import { isEndpoint, type ServedRoute } from '../routing/handler-class.js'
import { sourceLocationOf } from '../routing/source-location.js'
import { StartupError } from './startup-error.js'

type Method = () => unknown

/** After this time, in milliseconds, the log says what a start waits for. */
const slowStart = 10_000

/** The time in milliseconds for ending all objects of a service that did not run. */
const defaultEndingTime = 5_000

/** The time in milliseconds for ending all objects when nothing is left of the grace period. */
const minEndingTime = 1_000

/**
 * The life of the objects that a container has built: their `start()` before the service serves anything, their
 * `[Symbol.asyncDispose]()` (or `[Symbol.dispose]()`) when it ends. Objects that the application made itself, as in the
 * option `provide`, belong to the application.
 */
export class Lifecycle {
  readonly #container: Container
  readonly #log: Log
  /** By handler class: its methods that answer requests or decide permissions, whatever they are called. */
  readonly #routeMethods = new Map<unknown, Set<string>>()
  /** The objects whose `start()` was called. */
  readonly #begun = new Set<object>()
  #isEnded = false

  constructor(container: Container, routes: readonly ServedRoute[], log: Log) {
    this.#container = container
    this.#log = log
    for (const { source, member, declaration } of routes) {
      if (isEndpoint(source)) continue
      const names = this.#routeMethods.get(source) ?? new Set()
      this.#routeMethods.set(source, names.add(member))
      // A declaration that is refused may be anything.
      const permission: unknown = (declaration as Partial<typeof declaration> | undefined)?.permission
      if (typeof permission === 'string') names.add(permission)
    }
  }

  /**
   * Calls `start()` of each object, one after the other, dependencies first.
   * @param signal ends the waiting. Its reason is thrown.
   * @throws StartupError when one throws or rejects.
   */
  async start(signal?: AbortSignal): Promise<void> {
    for (const built of this.#container.built) {
      const start = this.#startOf(built.instance)
      if (start !== null) await this.#started(built, start, signal)
    }
    this.#container.checkLateInstances((instance) =>
      this.#startOf(instance) === null
        ? null
        : fault(
            'service-not-started',
            `${instance.constructor.name} has start(), which is awaited before the service serves anything, but it is injected for the first time while the service runs. Name it in the option 'services'.`,
          ),
    )
  }

  async #started({ chain, instance }: BuiltInstance, start: Method, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.#begun.add(instance)
    const service = chain.join(' -> ')
    const timer = setTimeout(() => logError(this.#log, 'service-start-slow', { service }), slowStart)
    try {
      await abortable(Promise.resolve(start()), signal)
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) throw error
      const location = error instanceof Error ? sourceLocationOf(error) : null
      const message = `its start() failed: ${messageOf(error)}`
      throw new StartupError([{ code: 'service-start-failed', location, subject: service, message }], { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Ends each object, in the reverse order of building, except those whose `start()` was not called. A failure is logged.
   * When an object takes more than half of the remaining time, the next one is ended beside it.
   * @param milliseconds for all of them; at least a second. Default 5,000.
   */
  async end(milliseconds = defaultEndingTime): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    const deadline = performance.now() + Math.max(milliseconds, minEndingTime)
    const left = (): number => Math.max(0, deadline - performance.now())
    const unfinished = new Map<BuiltInstance, Promise<void>>()
    for (const built of this.#container.built.toReversed()) {
      const end = endOf(built.instance)
      if (end === null || this.#isUnstarted(built.instance)) continue
      const ended = this.#ended(built, end).finally(() => unfinished.delete(built))
      unfinished.set(built, ended)
      await settledWithin(ended, left() / 2)
    }
    await settledWithin(Promise.all(unfinished.values()), left())
    for (const { chain } of unfinished.keys()) logError(this.#log, 'service-end-slow', { service: chain.join(' -> ') })
  }

  /** Never rejects. */
  async #ended({ chain }: BuiltInstance, end: Method): Promise<void> {
    try {
      await end()
    } catch (err) {
      logError(this.#log, 'service-end-failed', { err, service: chain.join(' -> ') })
    }
  }

  /** Whether it has a `start()` that was not called, as in commands that only read, and after a start that failed before it. */
  #isUnstarted(instance: object): boolean {
    return !this.#begun.has(instance) && this.#startOf(instance) !== null
  }

  #startOf(instance: object): Method | null {
    const start: unknown = Reflect.get(instance, 'start')
    // A `start` with parameters is a method that the application itself calls.
    const isOfLifecycle = typeof start === 'function' && start.length === 0
    if (!isOfLifecycle || this.#routeMethods.get(instance.constructor)?.has('start') === true) return null
    return () => Reflect.apply(start, instance, []) as unknown
  }
}

function endOf(instance: object): Method | null {
  const end: unknown = Reflect.get(instance, Symbol.asyncDispose) ?? Reflect.get(instance, Symbol.dispose)
  return typeof end === 'function' ? () => Reflect.apply(end, instance, []) as unknown : null
}

/** Resolves when the work has ended, at the latest after this time. The work must not reject. */
export async function settledWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  const timer = new AbortController()
  const over = delay(milliseconds, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([work, over])
  timer.abort()
}
