import { AsRestRoute, RestResponse, route, type RequestOf, type RestRequest } from 'as-rest-route'

/** `a0`, `a1`, …, each an integer that must be given. */
function integers(count: number) {
  const rules = { type: 'integer', minimum: 0, maximum: 1000, required: true } as const
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, rules]))
}

const body = route({
  namespace: 'bench/v1',
  route: '/body',
  method: 'POST',
  permission: 'public',
  args: { text: { type: 'string', required: true } },
})

/** Routes whose requests grow: in arguments, in bytes. */
export class GrowthApi {
  @AsRestRoute({ namespace: 'bench/v1', route: '/arguments-1', permission: 'public', args: integers(1) })
  @AsRestRoute({ namespace: 'bench/v1', route: '/arguments-10', permission: 'public', args: integers(10) })
  @AsRestRoute({ namespace: 'bench/v1', route: '/arguments-100', permission: 'public', args: integers(100) })
  arguments(request: RestRequest) {
    const values = Object.values(request.get_params() as Record<string, number>)
    return new RestResponse({ sum: values.reduce((sum, value) => sum + value, 0) })
  }

  @AsRestRoute(body)
  body(request: RequestOf<typeof body>) {
    return new RestResponse({ length: request.get_param('text').length })
  }
}
