import { contentErrors } from './content-errors.js'
import { requestErrors } from './request-errors.js'
import { serviceErrors } from './service-errors.js'
import { userErrors } from './user-errors.js'

/**
 * The errors in the responses of the service, by section of docs/errors.md and by code. WordPress's codes and messages are
 * kept to the letter.
 */
export const responseErrors = { ...requestErrors, ...userErrors, ...contentErrors, ...serviceErrors }

type Sections = typeof responseErrors

/** A code in the responses of the service itself. */
export type ResponseErrorCode = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections]
