import { configurationErrors } from './configuration-errors.js'
import { declarationErrors } from './declaration-errors.js'

/**
 * Why a service does not start, by section of docs/errors.md and by code. The document is generated from this table; an
 * example of each message is added by the test that checks it. Codes do not change.
 */
export const startupErrors = { ...declarationErrors, ...configurationErrors }

type Sections = typeof startupErrors

/** The code of a {@link Diagnostic}. */
export type DiagnosticCode = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections]
