import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationNames, type NamedOperation } from './operation-names.js'

const namesOf = (operations: readonly NamedOperation[]) =>
  operationNames(
    operations,
    (handler) => handler,
    (name, words) => [name, ...words].join('.'),
  )

const operation = (namespace: string, handler: string, method = 'GET') => ({ namespace, handler, method })

test('the operations of one handler have the method in their names, except the first', () => {
  const operations = [
    operation('a/v1', 'X.save', 'POST'),
    operation('a/v1', 'X.save', 'PUT'),
    operation('a/v1', 'X.list'),
  ]
  assert.deepEqual(namesOf(operations), ['X.save', 'X.save.put', 'X.list'])
  assert.deepEqual(namesOf(Array.from({ length: 3 }, () => operation('a/v1', 'X.list'))), [
    'X.list',
    'X.list.get',
    'X.list.get.2',
  ])
})

test('operations of the same handler name in several namespaces have the namespace in their names, in any order', () => {
  const operations = [operation('a/v1', 'X.list'), operation('b-c/v2', 'X.list'), operation('a/v1', 'X.show')]
  assert.deepEqual(namesOf(operations), ['X.list.a.v1', 'X.list.b.c.v2', 'X.show'])
  assert.deepEqual(namesOf([...operations].reverse()), ['X.show', 'X.list.b.c.v2', 'X.list.a.v1'])
})
