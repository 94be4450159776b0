import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VersionsWithToken } from './versions-with-token.js'

const rows = [['product', 2]]

describe('versions that are read with the change token', () => {
  it('are read while each token is followed by the question for its versions', () => {
    const versions = new VersionsWithToken()
    assert.equal(versions.shouldBeRead, false)
    versions.read('a', null)
    assert.equal(versions.shouldBeRead, false, 'nothing has asked')
    assert.equal(versions.at('a'), null)
    assert.equal(versions.shouldBeRead, true)
    versions.read('b', rows)
    assert.equal(versions.shouldBeRead, false, 'not before they are requested again')
    assert.equal(versions.at('b'), rows)
    assert.equal(versions.shouldBeRead, true)
  })

  it('belong to their token only', () => {
    const versions = new VersionsWithToken()
    versions.read('a', rows)
    assert.equal(versions.at('b'), null)
    versions.read('b', null)
    assert.equal(versions.at('a'), null)
    assert.equal(versions.at('b'), null)
    assert.equal(versions.shouldBeRead, true)
  })

  it('stay while the token does, and are not read again', () => {
    const versions = new VersionsWithToken()
    versions.read('a', rows)
    assert.equal(versions.at('a'), rows)
    versions.read('a', null)
    assert.equal(versions.shouldBeRead, false)
    assert.equal(versions.at('a'), rows)
  })
})
