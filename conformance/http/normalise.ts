import type { ReceivedResponse } from './send.js'

/** Makes a response comparable: the site's own address, nonces and saved values become placeholders. */
export function normalised(
  response: ReceivedResponse,
  origin: string,
  saved: ReadonlyMap<string, string>,
  nonces: ReadonlySet<string>,
): ReceivedResponse {
  const text = (value: string): string => {
    let result = value
      .replaceAll(origin.replaceAll('/', '\\/'), '{base}')
      .replaceAll(origin, '{base}')
      .replaceAll(encodeURIComponent(origin), '{base}')
    for (const nonce of nonces) result = result.replaceAll(nonce, '{nonce}')
    for (const [name, value] of saved) result = withVariable(result, name, value)
    return result
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      name === 'x-wp-nonce' && value !== '' ? '{nonce}' : text(value),
    ]),
  )
  return { ...response, headers, text: text(response.text) }
}

/** A saved value counts as the value of a key `id`, after `?p=` or `&p=`, and after `/product/`. */
function withVariable(text: string, name: string, value: string): string {
  const placeholder = `{{var:${name}}}`
  const literal = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text
    .replace(new RegExp(`("id":)"?${literal}"?(?=[,}])`, 'g'), `$1"${placeholder}"`)
    .replace(new RegExp(`([?&]p=)${literal}(?!\\d)`, 'g'), `$1${placeholder}`)
    .replace(new RegExp(`(\\\\?/product\\\\?/)${literal}(?=\\\\?/)`, 'g'), `$1${placeholder}`)
}
