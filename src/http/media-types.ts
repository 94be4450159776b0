const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css; charset=UTF-8',
  csv: 'text/csv; charset=UTF-8',
  gif: 'image/gif',
  htm: 'text/html; charset=UTF-8',
  html: 'text/html; charset=UTF-8',
  ico: 'image/vnd.microsoft.icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=UTF-8',
  json: 'application/json; charset=UTF-8',
  map: 'application/json; charset=UTF-8',
  md: 'text/markdown; charset=UTF-8',
  mjs: 'text/javascript; charset=UTF-8',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=UTF-8',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json; charset=UTF-8',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=UTF-8',
  zip: 'application/zip',
}

/** For unknown extensions: browsers download the file. */
export const unknownMediaType = 'application/octet-stream'

/**
 * The media type of a file by its extension. `application/octet-stream`, which browsers download, when it is unknown.
 */
export function mediaTypeOfName(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  return (Object.hasOwn(types, extension) ? types[extension] : undefined) ?? unknownMediaType
}
