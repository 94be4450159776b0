import type { Eta, TemplateFunction } from 'eta'

/** Part of a template: text, or a tag. */
type Part = ReturnType<Eta['parse']>[number]
/** A tag of a template that was parsed with `debug`. */
type Tag = Exclude<Part, string> & { readonly lineNo?: number }

/** The errors whose stack has a location already: an error passes through each template that includes the one that threw it. */
const located = new WeakSet<Error>()

/**
 * Adds the file and the line of the template to the stack of what its templates throw. The message stays as it is, since a
 * handler may send it to a client. Eta's option `debug` is not used for this: it inserts statements between tags, and a tag
 * may begin with `else`, `case` or `[`.
 */
export function locateErrors(eta: Eta): void {
  eta.config.plugins.push({ processAST: (parts: Part[]) => withNumbers(parts) })
  const { compile } = eta
  eta.compile = function (text, options) {
    const render = compile.call(this, text, options)
    const fail = (error: unknown): never => {
      addLocation(error, { render, file: options?.filepath ?? 'template', lines: () => tagLines(eta, text) })
      throw error
    }
    return function (data, renderOptions) {
      try {
        const html: unknown = render.call(this, data, renderOptions)
        return (html instanceof Promise ? html.catch(fail) : html) as string
      } catch (error) {
        return fail(error)
      }
    }
  }
}

/** Writes its number before the code of each tag, as a comment. */
function withNumbers(parts: Part[]): Part[] {
  let number = 0
  return parts.map((part) => (typeof part === 'string' ? part : { ...part, val: `/*@${number++}*/ ${part.val}` }))
}

/** The lines, from 1, at which the code of each tag begins: a tag may begin with empty lines. */
function tagLines(eta: Eta, text: string): readonly number[] {
  const lines = text.split('\n')
  const tags = eta
    .withConfig({ debug: true, plugins: [] })
    .parse(text)
    .filter((part): part is Tag => typeof part === 'object')
  return tags.map(({ val, lineNo = 1 }) => {
    const [first = ''] = val.split('\n')
    const index = lines.findIndex((line, at) => at >= lineNo - 1 && line.includes(first))
    return index === -1 ? lineNo : index + 1
  })
}

interface Template {
  /** The compiled template. */
  readonly render: TemplateFunction
  readonly file: string
  readonly lines: () => readonly number[]
}

function addLocation(error: unknown, { render, file, lines }: Template): void {
  if (!(error instanceof Error) || located.has(error)) return
  located.add(error)
  const { stack = '' } = error
  // The code of a template has no file: its frames end in `<anonymous>:12:34`.
  const [, line, column] = /<anonymous>:(\d+):(\d+)\)?$/m.exec(stack) ?? []
  if (line === undefined || column === undefined) return
  const compiled = String(render).split('\n').slice(0, Number(line))
  const code = [...compiled.slice(0, -1), compiled.at(-1)?.slice(0, Number(column))].join('\n')
  const start = code.lastIndexOf('/*@')
  const tagLine = lines()[Number(/^\d+/.exec(code.slice(start + 3))?.[0])]
  if (tagLine === undefined) return
  const location = `${file}:${tagLine + code.slice(start).split('\n').length - 1}:1`
  try {
    error.stack = stack.replace('\n    at ', () => `\n    at template (${location})\n    at `)
  } catch {
    // The error is frozen.
  }
}
