import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfRoutes } from '../discovery/check.js'
import { routesOf } from '../discovery/handler-class.js'
import { namedSanitizers } from '../sanitizers/named-sanitizers.js'
import { ownHandlers } from './own-handlers.js'

test("the service's own declarations pass the checks of a start", () => {
  const surroundings = { sanitizers: new Map(namedSanitizers), ownRoutes: new Set<string>(), instanceOf: () => null }
  const sentences = faultsOfRoutes(routesOf(ownHandlers), surroundings).map(({ sentence }) => sentence)
  assert.deepEqual(sentences, [])
})
