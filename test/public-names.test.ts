import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import typescript from 'typescript'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Everything that an application can name: exports, and the members of exported types, by `Type.member`. */
function publicNames(): { readonly exports: string[]; readonly types: string[]; readonly members: string[] } {
  const { config } = typescript.readConfigFile(`${root}tsconfig.json`, (path) => typescript.sys.readFile(path)) as {
    config: unknown
  }
  const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, root)
  const program = typescript.createProgram([`${root}src/index.ts`], options)
  const checker = program.getTypeChecker()
  const index = program.getSourceFile(`${root}src/index.ts`)
  const symbol = index && checker.getSymbolAtLocation(index)
  assert.ok(symbol)
  const exports: string[] = []
  const types: string[] = []
  const members: string[] = []
  for (const exported of checker.getExportsOfModule(symbol)) {
    const target = exported.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const isType = (target.flags & (typescript.SymbolFlags.Type | typescript.SymbolFlags.Class)) !== 0
    if (isType) types.push(exported.name)
    else exports.push(exported.name)
    for (const declaration of target.declarations ?? []) {
      // Of others, such as `RestRequest` in `RequestOf`, the members are found at their own export.
      if (!typescript.isInterfaceDeclaration(declaration) && !typescript.isClassDeclaration(declaration)) continue
      for (const { name, modifiers } of declaration.members as readonly typescript.NamedDeclaration[] &
        readonly { readonly modifiers?: readonly typescript.ModifierLike[] }[]) {
        const isHidden = modifiers?.some(({ kind }) => kind === typescript.SyntaxKind.PrivateKeyword) === true
        if (name && typescript.isIdentifier(name) && !isHidden) members.push(`${exported.name}.${name.text}`)
      }
    }
  }
  return { exports, types, members }
}

const camelCase = /^[a-z][a-zA-Z0-9]*$/
const pascalCase = /^[A-Z][a-zA-Z0-9]*$/
const snakeCase = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/

const names = publicNames()
const glossary = readFileSync(`${root}docs/glossary.md`, 'utf8')
const section = /## Names in snake_case\n([\s\S]*?)(?=\n## |$)/.exec(glossary)?.[1] ?? ''
const listed = [...section.matchAll(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g)].map(([, name = '']) => name)

test('types are in PascalCase, functions and constants in camelCase', () => {
  assert.ok(names.types.length > 50 && names.members.length > 100)
  const allowed = new Set(['AsRestRoute'])
  assert.deepEqual(
    names.types.filter((name) => !pascalCase.test(name)),
    [],
  )
  assert.deepEqual(
    names.exports.filter((name) => !camelCase.test(name) && !allowed.has(name)),
    [],
  )
})

test('members are in camelCase, but for those that docs/glossary.md lists in snake_case', () => {
  // The decorator of a namespace has the name of the decorator.
  const allowed = new Set(['RestNamespace.AsRestRoute'])
  const wrong = names.members.filter((name) => {
    if (allowed.has(name)) return false
    const member = name.split('.')[1] ?? ''
    return !camelCase.test(member) && !(snakeCase.test(member) && listed.includes(member))
  })
  assert.deepEqual(wrong, [])
})

test('docs/glossary.md lists no name in snake_case that does not exist, and none twice', () => {
  const members = new Set(names.members.map((name) => name.split('.')[1]))
  assert.deepEqual(
    listed.filter((name) => !members.has(name)),
    [],
  )
  assert.equal(new Set(listed).size, listed.length)
})

test('the name of every class of errors ends in Error', () => {
  const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const classes = sources.flatMap((name) =>
    Array.from(
      readFileSync(`${root}src/${name}`, 'utf8').matchAll(
        /^(?:export )?(?:abstract )?class (\w+)\S* extends \w*Error\b/gm,
      ),
      ([, errorClass = '']) => errorClass,
    ),
  )
  assert.ok(classes.length > 10)
  assert.deepEqual(
    classes.filter((errorClass) => !errorClass.endsWith('Error')),
    [],
  )
})
