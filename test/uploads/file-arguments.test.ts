import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoint, type RestRequest, type UploadedFile } from 'as-rest-route'
import { startTestService } from 'as-rest-route/testing'
import { startService } from '../support/start-service.js'
import { ways, type Send } from '../support/three-ways.js'
import { form, png, PostersApi } from './posters-api.js'

async function post(send: Send, path: string, body: FormData | string, headers: Record<string, string> = {}) {
  // The client of the fast path sends texts, so the form becomes one.
  const encoded = new Response(body)
  const response = await send(`/posters/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '', ...headers },
    body: await encoded.text(),
  })
  // oxlint-disable-next-line no-explicit-any
  return { status: response.status, json: (await response.json()) as any }
}

for (const { name, open } of ways) {
  test(`declared files are read as arguments, with their types (${name})`, async (t) => {
    const { send } = await open(t, [PostersApi])
    const whole = form({
      title: 'Jazz',
      poster: png(),
      'pages[]': [new File(['1'], 'a.txt'), new File(['2'], 'b.txt')],
      sound: new File(['la'], 'Ton.MP3', { type: 'audio/mpeg' }),
      sizes: '1,2',
      'box[width]': '2.5',
    })
    assert.deepEqual(await post(send, 'posters/5', whole), {
      status: 200,
      json: {
        title: 'Jazz',
        poster: 'jazz.png image/png 4',
        same: true,
        pages: ['1', '2'],
        sound: 'Ton.MP3 audio/mpeg 2',
        isFirst: true,
        sizes: [1, 2],
        box: { width: 2.5 },
      },
    })
    const least = await post(send, 'posters/5', form({ title: 'Jazz', poster: png() }))
    assert.deepEqual([least.status, least.json.pages, least.json.sound], [200, [], null])
    // A browser sends a part without a name for a field where nothing was selected.
    const none = '--X\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--X--\r\n'
    const type = { 'Content-Type': 'multipart/form-data; boundary=X' }
    assert.deepEqual((await post(send, 'checked', none, type)).json, { name: null, note: null })
    const overridden = await post(send, 'posters/5?_method=POST', form({ title: 'Jazz', poster: png() }))
    assert.equal(overridden.status, 200)
  })

  test(`a file that breaks its rules is refused before the handler (${name})`, async (t) => {
    const { send } = await open(t, [PostersApi])
    const refusal = async (fields: Parameters<typeof form>[0], path = 'posters/5') => {
      const { status, json } = await post(send, path, form(fields))
      assert.equal(status, 400, JSON.stringify(json))
      return [
        json.code,
        json.data.params,
        Object.values(json.data.details ?? {}).map((detail) => (detail as { code: string } | null)?.code),
      ]
    }
    const valid = { title: 'Jazz', poster: png() }
    assert.deepEqual(await refusal({ title: 'Jazz' }), ['rest_missing_callback_param', ['poster'], []])
    for (const [fields, params, code] of [
      [{ poster: png(1_001) }, { poster: 'poster is larger than 1,000 bytes.' }, 'rest_file_too_large'],
      [
        { poster: png(4, 'jazz.gif', 'image/gif') },
        { poster: 'poster is image/gif, but must be image/png or image/jpeg.' },
        'rest_file_type_refused',
      ],
      // By its name it would be served as a page.
      [
        { poster: png(4, 'jazz.html', 'image/png') },
        { poster: 'poster is text/html, but must be image/png or image/jpeg.' },
        'rest_file_type_refused',
      ],
      [
        { poster: png(4, 'jazz.png', 'text/html') },
        { poster: 'poster is text/html, but must be image/png or image/jpeg.' },
        'rest_file_type_refused',
      ],
      [
        { poster: png(4, 'jazz', '') },
        { poster: 'poster is application/octet-stream, but must be image/png or image/jpeg.' },
        'rest_file_type_refused',
      ],
      [{ sound: png() }, { sound: 'sound is image/png, but must be audio/*.' }, 'rest_file_type_refused'],
      ...['audio/mpeg, text/html', 'audio/x y', 'audio/<b>', 'audio/', 'audio/mpeg/html'].map(
        (type) =>
          [
            { sound: png(4, 'ton.mp3', type) },
            { sound: `sound is ${type}, but must be audio/*.` },
            'rest_file_type_refused',
          ] as const,
      ),
      // What a web server beside the service makes of an unknown extension is not known.
      ...['shell.php', 'page.phtml', 'page.xhtml', 'a.exe'].map(
        (name) =>
          [
            { poster: png(4, name, 'image/png') },
            { poster: 'poster is application/octet-stream, but must be image/png or image/jpeg.' },
            'rest_file_type_refused',
          ] as const,
      ),
      [{ poster: 'jazz.png' }, { poster: 'poster is not of type file.' }, 'rest_invalid_type'],
      [{ poster: [], 'poster[]': [png(), png()] }, { poster: 'poster is not of type file.' }, 'rest_invalid_type'],
      [{ pages: 'a.txt' }, { pages: 'pages[0] is not of type file.' }, 'rest_invalid_type'],
      [{ 'pages[]': [png(), png(), png()] }, { pages: 'pages must contain at most 2 items.' }, 'rest_too_many_items'],
      [{ 'pages[]': [png(), png(11)] }, { pages: 'pages[1] is larger than 10 bytes.' }, 'rest_file_too_large'],
      [
        { postre: png() },
        { postre: 'postre is not an argument of this route. Did you mean poster?' },
        'rest_additional_properties_forbidden',
      ],
    ] as const)
      assert.deepEqual(await refusal({ ...valid, ...fields }), ['rest_invalid_param', params, [code]])
    // Without a name of a type, what the client says decides; and the other way round.
    for (const poster of [
      png(4, 'jazz', 'image/png'),
      png(4, 'png', 'image/png'),
      png(4, 'jazz.heic', 'image/png'),
      png(4, 'jazz.png', 'Image/PNG'),
      png(4, 'jazz.JPG', ''),
      png(4, 'a.png', 'application/octet-stream'),
    ])
      assert.equal((await post(send, 'posters/5', form({ title: 'Jazz', poster }))).status, 200)
    // A name in the query is no file, also beside one.
    assert.deepEqual((await refusal(valid, 'posters/5?poster=jazz.png'))[1], { poster: 'poster is not of type file.' })
    const json = await post(send, 'posters/5', '{"title":"Jazz","poster":{"name":"a.png"}}', {
      'Content-Type': 'application/json',
    })
    assert.deepEqual([json.status, json.json.data.params], [400, { poster: 'poster is not of type file.' }])
    assert.equal((await post(send, 'checked', form({ file: png(1, 'a.png'), note: 'n' }))).json.name, 'a.png')
    assert.deepEqual(await refusal({ file: png(1, 'b.png') }, 'checked'), [
      'rest_invalid_param',
      { file: 'Invalid parameter.' },
      [],
    ])
    const cutOff = '--X\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n12'
    const incomplete = await post(send, 'checked', cutOff, { 'Content-Type': 'multipart/form-data; boundary=X' })
    assert.deepEqual([incomplete.status, incomplete.json.code], [400, 'rest_upload_incomplete'])
  })
}

test('an endpoint without a class gets its files with their types', async (t) => {
  const add = endpoint(
    {
      namespace: 'posters/v1',
      route: '/sheets',
      method: 'POST',
      permission: 'public',
      args: { sheets: { type: 'array', required: true, items: { type: 'file' }, minItems: 1 } },
    },
    (request) => request.get_param('sheets').map(({ size }) => size),
  )
  const service = await startTestService([add])
  t.after(() => service.close())
  const { body } = await service.post('/posters/v1/sheets', form({ 'sheets[]': [png(1), png(2)] }))
  assert.deepEqual(body, [1, 2])
  const { status } = await service.post('/posters/v1/sheets', { sheets: [] })
  assert.equal(status, 400)
})

test('files may be smaller together than each of them by itself', async (context) => {
  const file = { type: 'file', max_size: 600_000 } as const
  const service = await startTestService([
    endpoint(
      {
        namespace: 'posters/v1',
        route: '/several',
        method: 'POST',
        permission: 'public',
        max_files: 4,
        args: { a: file, b: { type: 'array', items: file, maxItems: 4 } },
      },
      (request) => request.files('b').length,
    ),
  ])
  context.after(() => service.close())
  const form = new FormData()
  for (let count = 0; count < 3; count += 1) form.append('b[]', new File(['abc'], 'a.png', { type: 'image/png' }))
  assert.equal((await service.post('/posters/v1/several', form)).body, 3)
})

test('a permission callback reads declared files as the handler does, also for Allow', async (t) => {
  const seen: unknown[] = []
  const permission = (request: RestRequest<{ poster: UploadedFile; pages: UploadedFile[] | null }>) => {
    const { poster } = request.get_file_params()
    seen.push((poster as { name?: string } | undefined)?.name ?? null, request.file('poster')?.size ?? null)
    return true
  }
  const site = await startService([
    endpoint(
      {
        namespace: 'posters/v1',
        route: '/allowed',
        method: 'POST',
        permission,
        args: {
          title: { type: 'string', required: true },
          poster: { type: 'file', required: true, media_types: ['image/png'] },
          pages: { type: 'array', items: { type: 'file', max_size: 3 } },
        },
      },
      () => null,
    ),
    endpoint({ namespace: 'posters/v1', route: '/allowed', permission: 'public' }, () => null),
  ])
  t.after(() => site.close())
  const send = async (fields: Parameters<typeof form>[0]) => {
    seen.length = 0
    const response = await fetch(`${site.rest}posters/v1/allowed`, { method: 'POST', body: form(fields) })
    return [response.status, response.headers.get('allow'), ...seen]
  }
  const pages = { 'pages[]': [png(1), png(2)] }
  assert.deepEqual(await send({ title: 'Jazz', poster: png(), ...pages }), [200, 'POST, GET', 'jazz.png', 4])
  assert.deepEqual(await send({ poster: png(), ...pages, title: [], other: png() }), [400, 'POST, GET', 'jazz.png', 4])
  // Files that the declaration excludes end the callback.
  assert.deepEqual(await send({ poster: png(4, 'a.gif', 'image/gif'), title: 'Jazz' }), [400, 'GET'])
  assert.deepEqual(await send({ poster: png(), 'pages[]': [png(4)], title: 'Jazz' }), [400, 'GET'])
})
