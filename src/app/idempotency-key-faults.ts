import { fault, type Fault } from '../base/fault.js'
import { isMap } from '../php/array-shape.js'
import type { RouteDeclaration } from '../routing/declaration.js'
import { subjectOf, type ServedRoute } from '../routing/handler-class.js'
import { idempotencyKeys } from '../routing/idempotency-key.js'
import { sourceLocationOf } from '../routing/source-location.js'
import { describeValue } from './describe-value.js'
import type { Diagnostic } from './startup-error.js'

export function idempotencyKeyFault({ idempotency_key: key, method = 'GET' }: RouteDeclaration): Fault | null {
  if (key === undefined) return null
  if (!idempotencyKeys.includes(key))
    return fault(
      'idempotency-key-invalid',
      `'idempotency_key' is ${describeValue(key)}, but must be 'optional' or 'required'.`,
    )
  return method === 'POST'
    ? null
    : fault(
        'idempotency-key-invalid',
        `'idempotency_key' is for POST only; the method is ${describeValue(method)}. Remove 'idempotency_key'.`,
      )
}

/** A fault for each route that declares `idempotency_key`, for the database of a WordPress site: it has no table for the responses. */
export function faultsOfIdempotencyKeys(routes: readonly ServedRoute[]): readonly Diagnostic[] {
  return routes
    .filter(({ declaration }) => isMap(declaration) && declaration['idempotency_key'] !== undefined)
    .map((route) => ({
      ...fault(
        'idempotency-without-table',
        "'idempotency_key' stores responses in a table, and the database of a WordPress site gets none. Set the option " +
          "'service_database' to a database for them, or remove 'idempotency_key'.",
      ),
      location: sourceLocationOf(route.site),
      subject: subjectOf(route),
    }))
}
