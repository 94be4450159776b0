import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfRoutes } from '../app/check.js'
import { namedSanitizers } from '../sanitizers/named-sanitizers.js'
import { ownRoutes } from './own-handlers.js'

test("the service's own declarations pass the checks of a start", () => {
  const context = { sanitizers: new Map(namedSanitizers), ownRoutes: [], instanceOf: () => null }
  const messages = faultsOfRoutes(ownRoutes(), context).map(({ message }) => message)
  assert.deepEqual(messages, [])
})
