import { fault, type Fault } from '../base/fault.js'
import type { DiagnosticCode } from '../base/startup-errors.js'
import { isMap } from '../php/array-shape.js'
import type { Role, Roles } from './role.js'

/** A role of the application's own, or what a stored one has besides: one entry of the boot option `roles`. */
export interface RoleDeclaration {
  /** For people. Default: the role's name; a stored role keeps its own. */
  readonly label?: string
  /** Primitive capabilities: `edit_books`, `read`. */
  readonly capabilities: readonly string[]
}

export type RoleDeclarations = Readonly<Record<string, RoleDeclaration>>

/** The stored roles with the declared ones. What a stored role says of a capability itself, a refusal too, stays. */
export function withDeclaredRoles(stored: Roles, declared: RoleDeclarations): Roles {
  const roles = new Map<string, Role>(stored)
  for (const [name, { label = name, capabilities }] of Object.entries(declared)) {
    const known = stored.get(name)
    const granted = capabilities.map((capability) => [capability, true] as const)
    roles.set(name, {
      label: known?.label ?? label,
      capabilities: new Map([...granted, ...(known?.capabilities ?? [])]),
    })
  }
  return roles
}

/**
 * What is wrong with the boot option `roles`, by the part that is at fault: `roles.librarian`. Takes anything for a role,
 * since a configuration file in JavaScript may hold anything.
 */
export function roleFaults(
  declarations: Readonly<Record<string, unknown>> = {},
): (readonly [option: string, code: DiagnosticCode, message: string])[] {
  return Object.entries(declarations).flatMap(([name, declaration]) =>
    declarationFaults(name, declaration).map(({ code, message }) => [`roles.${name}`, code, message] as const),
  )
}

function declarationFaults(name: string, declaration: unknown): Fault[] {
  if (!isMap(declaration)) return [fault('role-invalid', "it must be an object such as { capabilities: ['read'] }.")]
  const { label, capabilities, ...others } = declaration
  const isNamed = /^[a-z0-9_-]{1,60}$/.test(name)
  return [
    ...(isNamed ? [] : [fault('role-name-invalid', 'it must be named with 1 to 60 characters of a-z, 0-9, _ and -.')]),
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
