import { declarationSource, decodedIndex, namespacesIn } from '../documents/declaration-source.js'
import { escapedJson } from '../log/printable.js'
import { CommandError } from './command-error.js'
import type { Output } from './output.js'

/** Milliseconds that one response of the site may take. */
const timeLimit = 15_000
/** Maximum size of a response of the site. */
const maxBytes = 8 * 1024 * 1024

/**
 * Prints declarations in TypeScript for the routes of one namespace of a running site.
 * @throws CommandError when the site does not answer, or does not have the namespace.
 */
export async function printDeclarations(
  url: string,
  { namespace }: { readonly namespace?: string },
  output: Output,
): Promise<void> {
  const site = siteOf(url)
  const namespaces = namespacesIn(await readIndex(site, '/'))
  if (namespaces === null) throw unreadable(site, 'its response is not the index of a REST API')
  if (namespace === undefined || !namespaces.includes(namespace))
    throw new CommandError(
      'wordpress-namespace-unknown',
      `${namespace === undefined ? 'Give --namespace.' : `The site has no namespace '${namespace}'.`} It has: ${namespaces
        .slice(0, 200)
        .map((name) => JSON.stringify(name).slice(1, -1))
        .join(', ')}.`,
    )
  const source = declarationSource(namespace, await readIndex(site, `/${namespace}`), site.href)
  // The texts of the site are in literals and comments of the source, which have the escapes of JSON.
  output.write(escapedJson(source))
}

/** The address of the site, without the path of its REST API. */
function siteOf(url: string): URL {
  const site = URL.canParse(url) ? new URL(url) : null
  if (site === null || !/^https?:$/.test(site.protocol))
    throw new CommandError(
      'site-address-unusable',
      `'${url}' is not the address of a site. Give one such as https://shop.example.`,
    )
  site.search = ''
  site.hash = ''
  site.pathname = site.pathname.replace(/\/(?:wp-json(?:\/.*)?|index\.php)?$/, '')
  return site
}

/** Reads by the path of the REST API, and by `?rest_route=` where permalinks are plain. */
async function readIndex(site: URL, route: string): Promise<unknown> {
  const root = site.href.replace(/\/$/, '')
  const addresses = [`${root}/wp-json${route}`, `${root}/?rest_route=${encodeURIComponent(route)}`]
  let reason = ''
  for (const address of addresses) {
    const result = await read(address)
    if ('value' in result) return result.value
    reason = `${address}: ${result.reason}`
  }
  throw unreadable(site, reason)
}

async function read(address: string): Promise<{ readonly value: unknown } | { readonly reason: string }> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeLimit),
    })
    if (!response.ok) return { reason: `status ${response.status}` }
    return { value: decodedIndex(await limitedBody(response)) }
  } catch (error) {
    const { message, cause } = error as Error
    return { reason: cause instanceof Error ? cause.message : message }
  }
}

/** @throws Error for a body that is too long. */
async function limitedBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const unreadable = (site: URL, reason: string): CommandError =>
  new CommandError('wordpress-site-unreadable', `The REST API of ${site.href} cannot be read. ${reason}.`)
