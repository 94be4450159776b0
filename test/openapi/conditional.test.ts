import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { AsRestRoute, conditional, RestResponse, type RestRequest } from 'as-rest-route'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { startService } from '../support/start-service.js'

const seat = { namespace: 'hall/v1', route: '/seats/(?P<row>\\d+)', permission: 'public' } as const
const versioned = conditional(() => 'v1')

class SeatApi {
  @AsRestRoute({ ...seat, around: [versioned], responses: { 200: { type: 'object', properties: {} }, 404: {} } })
  show() {
    return {}
  }

  @AsRestRoute({ ...seat, method: 'PUT', around: [versioned] })
  take(request: RestRequest<{ row: string }>) {
    return new RestResponse(request.pathId('row'), 201)
  }

  @AsRestRoute({ ...seat, method: 'DELETE', around: [versioned] })
  free() {
    return null
  }

  @AsRestRoute({ ...seat, method: 'PATCH' })
  change() {
    return null
  }
}

class PlanApi {
  static readonly around = [versioned]

  @AsRestRoute({ namespace: 'hall/v1', route: '/plan', permission: 'public' })
  show() {
    return { rows: 9 }
  }
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[]
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly description?: string }>>
}

test('OpenAPI describes the headers and responses of routes with conditional, as they are', async (context) => {
  const site = await startService([SeatApi, PlanApi])
  context.after(() => site.close())
  const document = JSON.parse(
    JSON.stringify(
      openApiDocument(site.service.routes, { title: 'Hall', baseUrl: 'https://hall.example', restPrefix: 'wp-json' }),
    ),
  ) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }
  const { valid, errors } = await new Validator().validate(document)
  assert.ok(valid, JSON.stringify(errors))

  const described = (path: string, method: string) => {
    const operation = document.paths[path]?.[method]
    assert.ok(operation)
    const { parameters = [], responses } = operation
    return {
      headers: parameters.filter((each) => each.in === 'header').map(({ name }) => name),
      statuses: ['304', '412'].filter((status) => status in responses),
      tagged: Object.keys(responses).filter((status) => 'ETag' in (responses[status]?.headers ?? {})),
    }
  }
  const headers = ['If-Match', 'If-None-Match']
  const reads = ['304', '412']
  assert.deepEqual(described('/hall/v1/seats/{row}', 'get'), { headers, statuses: reads, tagged: ['200', '304'] })
  assert.deepEqual(described('/hall/v1/plan', 'get'), { headers, statuses: reads, tagged: ['200', '304', '2XX'] })
  assert.deepEqual(described('/hall/v1/seats/{row}', 'put'), { headers, statuses: ['412'], tagged: ['200', '2XX'] })
  assert.deepEqual(described('/hall/v1/seats/{row}', 'delete'), { headers, statuses: ['412'], tagged: [] })
  assert.deepEqual(described('/hall/v1/seats/{row}', 'patch'), { headers: [], statuses: [], tagged: [] })

  const responseTo = async (method: string, sent: Record<string, string>) => {
    const response = await fetch(`${site.rest}hall/v1/seats/1`, { method, headers: sent })
    return [response.status, response.headers.get('etag')]
  }
  assert.deepEqual(await responseTo('GET', { 'If-None-Match': '"v1"' }), [304, '"v1"'])
  assert.deepEqual(await responseTo('GET', {}), [200, '"v1"'])
  assert.deepEqual(await responseTo('PUT', {}), [201, '"v1"'])
  assert.deepEqual(await responseTo('PUT', { 'If-Match': '"v2"' }), [412, null])
  assert.deepEqual(await responseTo('DELETE', {}), [200, null])
})
