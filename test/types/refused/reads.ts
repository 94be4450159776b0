import { AsRestRoute, RestResponse, route, type RequestOf, type RestRequest } from 'as-rest-route'

const item = route({
  namespace: 'shop/v1',
  route: '/items/(?P<id>\\d+)(?:/(?P<part>\\w+))?',
  args: { price: { type: 'number' }, size: { type: 'integer', default: 1 } },
})

export class Refused {
  // @ts-expect-error the annotation has a name that the route does not have
  @AsRestRoute({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)' })
  unknownName(request: RestRequest<{ slug: string }>) {
    return new RestResponse(request.get_param('slug'))
  }

  // @ts-expect-error the annotation has another type
  @AsRestRoute({ namespace: 'shop/v1', route: '/b/(?P<id>\\d+)' })
  wrongType(request: RestRequest<{ id: number }>) {
    return new RestResponse(request.get_param('id'))
  }

  // @ts-expect-error the annotation takes for present what may be absent
  @AsRestRoute({ namespace: 'shop/v1', route: '/c', args: { price: { type: 'number' } } })
  nullable(request: RestRequest<{ price: number }>) {
    return new RestResponse(request.get_param('price'))
  }

  // @ts-expect-error the annotation takes for present what an optional group captures
  @AsRestRoute({ namespace: 'shop/v1', route: '/d(?:/(?P<page>\\d+))?' })
  optionalGroup(request: RestRequest<{ page: string }>) {
    return new RestResponse(request.get_param('page'))
  }

  // @ts-expect-error several names at once
  @AsRestRoute(item)
  several(request: RestRequest<{ id: number; part: string; price: number | null; color: string }>) {
    return new RestResponse(request.get_param('id'))
  }

  @AsRestRoute(item)
  reads(request: RequestOf<typeof item>) {
    // @ts-expect-error a read of an unknown name
    const unknownName = request.get_param('colour')
    // @ts-expect-error a question about an unknown name
    const isSent = request.has_param('colour')
    const someName: string = request.route
    // @ts-expect-error a read of a name that is any text
    const textName = request.get_param(someName)
    // @ts-expect-error an unknown name in the map
    const { colour } = request.get_params()
    // @ts-expect-error a read of the wrong type
    const wrongType: string = request.get_param('size')
    // @ts-expect-error a nullable value as present
    const present: number = request.get_param('price')
    // @ts-expect-error an optional group as present
    const group: string = request.get_param('part')
    // @ts-expect-error a member of a nullable value
    const member = request.get_param('part').length
    // @ts-expect-error the wrong type in spite of a fallback
    const fallen: string = request.get_param('price') ?? 'free'
    // @ts-expect-error the wrong type as an argument
    const argument = Math.sqrt(request.get_param('id'))
    // @ts-expect-error a nullable value as an argument
    const nullableArgument = Math.sqrt(request.get_param('price'))
    // @ts-expect-error a nullable value in a structure
    const structure: { id: string; price: number } = { id: '', price: request.get_param('price') }
    // @ts-expect-error a nullable value as a result
    const result = (): number => request.get_param('price')
    // @ts-expect-error a value that may be missing from the map
    const { price }: { price: number | null } = request.get_params()
    const direct = [unknownName, isSent, textName, colour, wrongType, present, group]
    return new RestResponse([direct, member, fallen, argument, nullableArgument, structure, result, price])
  }

  @AsRestRoute(item)
  plain(request: RestRequest) {
    // @ts-expect-error a plain request knows nothing about its values
    const size: number = request.get_param('size')
    return new RestResponse(size)
  }
}
