import { responseRulesOf, type DeclaredResponseSchemas } from './described-rules.js'
import { withoutArgumentRules } from './response-rules.js'

/**
 * The JSON Schema of the responses of a route, in the form of WordPress's item schemas; null when no successful response
 * has properties. For a list, it is the schema of its items.
 */
export function itemSchemaOf(responses: DeclaredResponseSchemas): Readonly<Record<string, unknown>> | null {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 200 && Number(status) < 300)
  for (const status of statuses.sort()) {
    const { [Number(status)]: rules = {} } = responseRulesOf(responses)
    const item = rules.type === 'array' && rules.items ? rules.items : rules
    if (item.type === 'object' && item.properties)
      return { $schema: 'http://json-schema.org/draft-04/schema#', ...(withoutArgumentRules(item) as object) }
  }
  return null
}
