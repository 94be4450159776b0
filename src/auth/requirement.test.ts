import assert from 'node:assert/strict'
import test from 'node:test'
import { requirementOf, type Requirement } from './requirement.js'

const table: [permission: string | null | undefined, defaultCapability: string | null, requirement: Requirement][] = [
  ['public', 'edit_posts', { kind: 'anyone' }],
  ['public', null, { kind: 'anyone' }],
  ['isAdmin', null, { kind: 'callback', method: 'isAdmin' }],
  ['', 'edit_posts', { kind: 'callback', method: '' }],
  [null, 'edit_posts', { kind: 'capability', name: 'edit_posts' }],
  [undefined, 'manage_options', { kind: 'capability', name: 'manage_options' }],
  [null, null, { kind: 'logged-in' }],
]
for (const [permission, defaultCapability, requirement] of table)
  test(`permission ${String(permission)} with the default ${String(defaultCapability)} gives the requirement ${requirement.kind}`, () => {
    assert.deepEqual(requirementOf(permission, defaultCapability), requirement)
  })
