/**
 * The callbacks of an argument that WordPress derives from the schema of an item: it is validated before any argument is
 * sanitised, in the order of declaration.
 */
export const schemaArgument = {
  validate_callback: 'rest_validate_request_arg',
  sanitize_callback: 'rest_sanitize_request_arg',
} as const
