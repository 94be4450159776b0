import type { RecordTypeLookup, TypeCapabilities } from './capability-lookup.js'
import { impliedCapabilities } from './capabilities.js'
import { metadataCapabilities } from './metadata-capabilities.js'
import { postCapabilities } from './post-capabilities.js'
import { capabilitiesWithoutTarget } from './primitives.js'
import { userCapabilities } from './user-capabilities.js'

/** The capabilities of a default WordPress installation, those over one record, user or metadata included. */
const builtIn: ReadonlySet<string> = new Set([
  'exist',
  ...capabilitiesWithoutTarget(),
  ...impliedCapabilities,
  ...userCapabilities,
  ...postCapabilities,
  ...metadataCapabilities,
])

/** What a type's capabilities begin with, before `_` and its `capability_type` in the plural. */
const actionsOfMany = ['edit', 'publish', 'delete']
const statesOfMany = ['edit_others', 'edit_private', 'edit_published', 'delete_others', 'delete_private']

const capabilitiesOf = ({ capability_type: stem }: TypeCapabilities): readonly string[] => [
  ...['edit', 'read', 'delete'].map((action) => `${action}_${stem}`),
  ...[...actionsOfMany, ...statesOfMany, 'delete_published', 'read_private'].map((action) => `${action}_${stem}s`),
]

/** The names of capabilities that need no role: those of WordPress, and those of the record types. */
export function capabilityNames(types: RecordTypeLookup): ReadonlySet<string> {
  return new Set([...builtIn, ...[...types.all()].flatMap(capabilitiesOf)])
}
