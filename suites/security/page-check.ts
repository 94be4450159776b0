import { parse, type DefaultTreeAdapterTypes } from 'parse5'
import { mark, product } from './payloads.js'
import type { ReceivedResponse, Target } from './target.js'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** Parses the page as a browser does, and looks for what the payloads would have made. */
export function checkPage(target: Target, response: ReceivedResponse, what: string): void {
  if (response.wire.headers.some(([name]) => name === 'x-injected')) target.check(`${what}: a header was injected.`)
  if (response.status >= 500 && !what.startsWith('/wp-admin/authorize-application.php'))
    target.check(`${what}: ${response.status}`)
  const type = response.header('content-type') ?? ''
  if (!type.startsWith('text/html') && !type.startsWith('application/json')) {
    target.check(type.includes('javascript') || type.includes('svg') ? `${what} is ${type}.` : null)
    return
  }
  if (type.startsWith('application/json')) {
    const { html } = (response.status === 200 ? response.json() : {}) as { readonly html?: string }
    target.check(html === undefined ? null : faultIn(html, what))
    return
  }
  // A redirect without a body has nothing that a browser could take for something else.
  if (response.text !== '' && response.header('x-content-type-options') !== 'nosniff')
    target.check(`${what}: without nosniff.`)
  target.check(faultIn(response.text, what))
}

function faultIn(text: string, what: string): string | null {
  if (text.includes(product)) return `${what}: a template was computed.`
  const faults: string[] = []
  const visit = (node: Node): void => {
    if ('attrs' in node) faults.push(...faultsOfElement(node))
    if ('content' in node) visit(node.content)
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(text))
  return faults.length > 0 ? `${what}: ${faults.join(', ')}` : null
}

const active = new Set(['iframe', 'object', 'embed', 'base', 'svg', 'applet', 'frame'])

function faultsOfElement({ tagName, attrs }: Element): string[] {
  const faults: string[] = []
  if (tagName.includes(mark) || active.has(tagName)) faults.push(`the element ${tagName}`)
  if (tagName === 'meta' && attrs.some(({ name, value }) => name === 'http-equiv' && value === 'refresh'))
    faults.push('a refresh')
  for (const { name, value } of attrs) {
    if (name === mark || name.startsWith('on')) faults.push(`the attribute ${name}`)
    const isAddress = ['href', 'src', 'action', 'formaction', 'srcdoc', 'xlink:href'].includes(name)
    if (isAddress && /^[\0-\x20]*(?:j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|vbscript|data:text)/i.test(value))
      faults.push(`the address ${value}`)
    if (name === 'style' && /javascript|expression/i.test(value)) faults.push(`the style ${value}`)
    if (name === 'action' && value.includes('evil.example')) faults.push('a form that leads away')
  }
  return faults
}
