import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import typescript from 'typescript'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The modules that an application can import. */
const modules = ['src/index.ts', 'src/testing.ts', 'src/vite.ts'].map((name) => root + name)

/**
 * Everything that an application can name: exports, and the members of exported types, by `Type.member`. Members of the members
 * follow where their type has no name of its own: `Type.member.inner`.
 */
function publicNames(): { readonly exports: string[]; readonly types: string[]; readonly members: string[] } {
  const { config } = typescript.readConfigFile(`${root}tsconfig.json`, (path) => typescript.sys.readFile(path)) as {
    config: unknown
  }
  const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, root)
  const program = typescript.createProgram(modules, options)
  const checker = program.getTypeChecker()
  const exports = new Set<string>()
  const types = new Set<string>()
  const members = new Set<string>()
  const isHidden = (declaration: typescript.Declaration): boolean =>
    (typescript.getCombinedModifierFlags(declaration) & typescript.ModifierFlags.Private) !== 0 ||
    declaration.getSourceFile().fileName.includes('/node_modules/')
  const addMembers = (name: string, type: typescript.Type, seen: ReadonlySet<typescript.Type>): void => {
    if (seen.has(type)) return
    const inside = new Set([...seen, type])
    for (const part of type.isUnionOrIntersection() ? type.types : [type]) {
      for (const property of checker.getPropertiesOfType(part)) {
        const [declaration] = property.declarations ?? []
        const declaredName = declaration && typescript.getNameOfDeclaration(declaration)
        if (!declaredName || !typescript.isIdentifier(declaredName) || isHidden(declaration)) continue
        members.add(`${name}.${property.name}`)
        addNameless(`${name}.${property.name}`, checker.getTypeOfSymbol(property), inside)
      }
    }
  }
  // Types with a name are found at their own export.
  const addNameless = (name: string, type: typescript.Type, seen: ReadonlySet<typescript.Type>): void => {
    for (const part of type.isUnionOrIntersection() ? type.types : [type]) {
      if (part.symbol && (part.symbol.flags & typescript.SymbolFlags.TypeLiteral) !== 0) addMembers(name, part, seen)
      for (const { parameters } of part.getCallSignatures())
        for (const parameter of parameters) {
          const parameterType = checker.getTypeOfSymbol(parameter)
          if ((parameterType.symbol?.flags & typescript.SymbolFlags.TypeLiteral) !== 0)
            addMembers(`${name}.${parameter.name}`, parameterType, seen)
        }
    }
  }
  for (const module of modules) {
    const source = program.getSourceFile(module)
    const symbol = source && checker.getSymbolAtLocation(source)
    assert.ok(symbol)
    for (const exported of checker.getExportsOfModule(symbol)) {
      const target = exported.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const isType = (target.flags & (typescript.SymbolFlags.Type | typescript.SymbolFlags.Class)) !== 0
      if (isType) {
        types.add(exported.name)
        addMembers(exported.name, checker.getDeclaredTypeOfSymbol(target), new Set())
      } else {
        exports.add(exported.name)
        addNameless(exported.name, checker.getTypeOfSymbol(target), new Set())
      }
    }
  }
  return { exports: [...exports], types: [...types], members: [...members] }
}

const camelCase = /^[a-z][a-zA-Z0-9]*$/
const pascalCase = /^[A-Z][a-zA-Z0-9]*$/
const snakeCase = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/

const names = publicNames()
const glossary = readFileSync(`${root}docs/glossary.md`, 'utf8')
const section = /## Names in snake_case\n([\s\S]*?)(?=\n## |$)/.exec(glossary)?.[1] ?? ''
const listed = [...section.matchAll(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g)].map(([, name = '']) => name)

test('types are in PascalCase, functions and constants in camelCase', () => {
  assert.ok(names.types.length > 50 && names.members.length > 300)
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
    const member = name.split('.').at(-1) ?? ''
    return !camelCase.test(member) && !(snakeCase.test(member) && listed.includes(member))
  })
  assert.deepEqual(wrong, [])
})

test('docs/glossary.md lists no name in snake_case that does not exist, and none twice', () => {
  const members = new Set(names.members.map((name) => name.split('.').at(-1)))
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

/** Names that tell how a value came, and not what it is. */
const vagueNames = new Set(['given', 'known', 'found', 'asked', 'made'])

test('no variable is named by how its value came', () => {
  const vague: string[] = []
  for (const folder of ['src', 'conformance', 'bench', 'suites', 'examples'])
    for (const file of readdirSync(root + folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.includes('node_modules') || file.includes('dist/')) continue
      const text = readFileSync(`${root}${folder}/${file}`, 'utf8')
      const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest)
      const visit = (node: typescript.Node): void => {
        const isVariable =
          typescript.isVariableDeclaration(node) || typescript.isParameter(node) || typescript.isBindingElement(node)
        if (isVariable && typescript.isIdentifier(node.name) && vagueNames.has(node.name.text))
          vague.push(`${folder}/${file}: ${node.name.text}`)
        typescript.forEachChild(node, visit)
      }
      visit(source)
    }
  assert.deepEqual(vague, [])
})
