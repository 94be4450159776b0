import { fault, type Fault } from '../base/fault.js'
import type { DiagnosticCode } from '../base/startup-errors.js'
import { isMap } from '../php/array-shape.js'
import type { Role, Roles } from './role.js'

/** An entry of the boot option `roles`: a new role, or additional capabilities of a stored role. */
export interface RoleDeclaration {
  /** The name that pages show. Default: the name of the role. A stored role keeps its own label. */
  readonly label?: string
  /** Primitive capabilities: `edit_books`, `read`. */
  readonly capabilities: readonly string[]
}

export type RoleDeclarations = Readonly<Record<string, RoleDeclaration>>

/** Adds the declared roles to the stored ones. A grant or refusal of a capability in a stored role takes precedence. */
export function withDeclaredRoles(storedRoles: Roles, declared: RoleDeclarations): Roles {
  const roles = new Map<string, Role>(storedRoles)
  for (const [name, { label = name, capabilities }] of Object.entries(declared)) {
    const storedRole = storedRoles.get(name)
    const granted = capabilities.map((capability) => [capability, true] as const)
    roles.set(name, {
      label: storedRole?.label ?? label,
      capabilities: new Map([...granted, ...(storedRole?.capabilities ?? [])]),
    })
  }
  return roles
}

/**
 * The errors in the boot option `roles`. Each has the path of the wrong part, `roles.librarian`, and a message. A
 * declaration may be any value, because the compiler does not check a configuration file in JavaScript.
 */
export function roleDiagnostics(
  declarations: Readonly<Record<string, unknown>> = {},
): (readonly [option: string, code: DiagnosticCode, message: string])[] {
  return Object.entries(declarations).flatMap(([name, declaration]) =>
    declarationFaults(name, declaration).map(({ code, message }) => [`roles.${name}`, code, message] as const),
  )
}

function declarationFaults(name: string, declaration: unknown): Fault[] {
  if (!isMap(declaration)) return [fault('role-invalid', "it must be an object such as { capabilities: ['read'] }.")]
  const { label, capabilities, ...others } = declaration
  const hasValidName = /^[a-z0-9_-]{1,60}$/.test(name)
  return [
    ...(hasValidName
      ? []
      : [fault('role-name-invalid', 'it must be named with 1 to 60 characters of a-z, 0-9, _ and -.')]),
    ...(label === undefined || (typeof label === 'string' && label !== '')
      ? []
      : [fault('role-invalid', 'it must have a text as its label.')]),
    ...(isListOfNames(capabilities)
      ? []
      : [fault('role-invalid', 'it must have capabilities, a list of names such as edit_books.')]),
    ...Object.keys(others).map((other) =>
      fault('role-option-unknown', `it takes label and capabilities, not ${other}.`),
    ),
  ]
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[a-z0-9_-]+$/.test(name))
}
