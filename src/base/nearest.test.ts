import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { editDistance, nearest, suggestion } from './nearest.js'

describe('the nearest valid name', () => {
  test('has few other letters than the misspelt one', () => {
    assert.equal(nearest('tilte', ['content', 'title']), 'title')
    assert.equal(nearest('capcity', ['price', 'capacity']), 'capacity')
  })

  test('of a short name has less than half of its letters changed', () => {
    assert.equal(nearest('slgu', ['slug', 'name']), 'slug')
    assert.equal(nearest('smtp', ['http', 'port']), null)
    assert.equal(nearest('=>', ['=', '>=']), '>=')
    assert.equal(nearest('x', ['a', 'b']), null)
  })

  test('is named in a sentence, or else all valid names are', () => {
    assert.equal(suggestion('nmae', ['name', 'slug']), " Did you mean 'name'?")
    assert.equal(suggestion('smtp', ['http', 'port']), ' Use one of: http, port.')
    assert.equal(suggestion('smtp', []), '')
  })
})

test('two swapped letters are one mistake', () => {
  assert.equal(editDistance('slug', 'slgu'), 1)
  assert.equal(editDistance('slug', 'plug'), 1)
  assert.equal(editDistance('', 'slug'), 4)
})
