import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOfRoutes } from '../app/check.js'
import { namedSanitizers } from '../sanitizers/named-sanitizers.js'
import { builtInRoutes } from './built-in-handlers.js'

test("the service's own declarations pass the checks of a start", () => {
  const context = { sanitizers: new Map(namedSanitizers), builtInRoutes: [], instanceOf: () => null }
  const messages = faultsOfRoutes(builtInRoutes(), context).map(({ message }) => message)
  assert.deepEqual(messages, [])
})
