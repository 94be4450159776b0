import { AsRestRoute, route, type RequestOf, type RestRequest, type UploadedFile } from 'as-rest-route'

const addPoster = route({
  namespace: 'posters/v1',
  route: '/posters/(?P<id>\\d+)',
  method: 'POST',
  permission: 'public',
  additional_args: false,
  max_files: 4,
  args: {
    title: { type: 'string', required: true, minLength: 2 },
    sizes: { type: 'array', items: { type: 'integer' } },
    box: { type: 'object', properties: { width: { type: 'number' } } },
    poster: {
      type: 'file',
      required: true,
      media_types: ['image/png', 'image/jpeg'],
      max_size: 1_000,
      description: 'A picture.',
    },
    pages: { type: 'array', items: { type: 'file', max_size: 10 }, maxItems: 2 },
    sound: { type: 'file', media_types: ['audio/*'] },
  },
})

const described = (file: UploadedFile) => `${file.name} ${file.type} ${file.size}`

export class PostersApi {
  @AsRestRoute(addPoster)
  async add(request: RequestOf<typeof addPoster>) {
    const { title, poster, pages, sound = null, sizes = [], box = {} } = request.get_params()
    const first: UploadedFile | null = request.get_param('sound')
    const texts = await Promise.all((pages ?? []).map((page) => page.text()))
    return {
      title,
      poster: described(request.get_param('poster')),
      same: poster === request.file('poster'),
      pages: texts,
      sound: sound && described(sound),
      isFirst: first === sound,
      sizes,
      box,
    }
  }

  @AsRestRoute({
    namespace: 'posters/v1',
    route: '/checked',
    method: 'POST',
    permission: 'public',
    args: {
      file: { type: 'file', validate_callback: (file) => (file as UploadedFile).name.startsWith('a') },
      note: { type: 'string' },
    },
  })
  checked(request: RestRequest<{ file: UploadedFile | null; note: string | null }>) {
    return { name: request.get_param('file')?.name ?? null, note: request.get_param('note') }
  }
}

/** A file of so many bytes that says it is a picture. */
export const png = (size = 4, name = 'jazz.png', type = 'image/png') => new File(['x'.repeat(size)], name, { type })

/** A form with a part for each value, and several for a list. */
export function form(fields: Readonly<Record<string, string | File | readonly File[]>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) data.append(name, each as Blob)
  return data
}
