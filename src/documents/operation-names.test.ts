import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationNames, type NamedOperation } from './operation-names.js'

const named = (operations: readonly NamedOperation[]) =>
  operationNames(
    operations,
    (handler) => handler,
    (name, words) => [name, ...words].join('.'),
  )

const operation = (namespace: string, handler: string, method = 'GET') => ({ namespace, handler, method })

test('a handler of several routes has the method in the name of all but the first', () => {
  const operations = [
    operation('a/v1', 'X.save', 'POST'),
    operation('a/v1', 'X.save', 'PUT'),
    operation('a/v1', 'X.list'),
  ]
  assert.deepEqual(named(operations), ['X.save', 'X.save.put', 'X.list'])
  assert.deepEqual(named(Array.from({ length: 3 }, () => operation('a/v1', 'X.list'))), [
    'X.list',
    'X.list.get',
    'X.list.get.2',
  ])
})

test('names of several namespaces have these, whichever comes first', () => {
  const operations = [operation('a/v1', 'X.list'), operation('b-c/v2', 'X.list'), operation('a/v1', 'X.show')]
  assert.deepEqual(named(operations), ['X.list.a.v1', 'X.list.b.c.v2', 'X.show'])
  assert.deepEqual(named([...operations].reverse()), ['X.show', 'X.list.b.c.v2', 'X.list.a.v1'])
})
