import { schemaArgument } from './schema-argument.js'

// The texts, the rules and their order are WordPress's.

const appId = {
  description:
    'A UUID provided by the application to uniquely identify it. It is recommended to use an UUID v5 with the URL or DNS namespace.',
  type: 'string',
  oneOf: [
    { type: 'string', format: 'uuid' },
    { type: 'string', enum: [''] },
  ],
} as const

const name = {
  description: 'The name of the application password.',
  type: 'string',
  minLength: 1,
  pattern: '.*\\S.*',
} as const

/** The arguments of a new application password. */
export const newPasswordArguments = {
  app_id: { ...appId, ...schemaArgument },
  name: { ...name, required: true, ...schemaArgument },
} as const

/** A null counts as no name. */
const nameOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The arguments of a change of an application password. */
export const passwordChangeArguments = {
  app_id: { ...appId, ...schemaArgument },
  name: { ...name, validate_callback: 'rest_validate_request_arg', sanitize_callback: nameOrNull },
} as const

const everywhere = ['view', 'edit', 'embed'] as const
const inFull = ['view', 'edit'] as const

/** An application password in responses, for OPTIONS. */
export const applicationPasswordSchema = {
  $schema: 'http://json-schema.org/draft-04/schema#',
  title: 'application-password',
  type: 'object',
  properties: {
    uuid: {
      description: 'The unique identifier for the application password.',
      type: 'string',
      format: 'uuid',
      context: everywhere,
      readonly: true,
    },
    app_id: { ...appId, context: everywhere },
    name: {
      description: name.description,
      type: 'string',
      required: true,
      context: everywhere,
      minLength: name.minLength,
      pattern: name.pattern,
    },
    password: {
      description: 'The generated password. Only available after adding an application.',
      type: 'string',
      context: ['edit'],
      readonly: true,
    },
    created: {
      description: 'The GMT date the application password was created.',
      type: 'string',
      format: 'date-time',
      context: inFull,
      readonly: true,
    },
    last_used: {
      description: 'The GMT date the application password was last used.',
      type: ['string', 'null'],
      format: 'date-time',
      context: inFull,
      readonly: true,
    },
    last_ip: {
      description: 'The IP address the application password was last used by.',
      type: ['string', 'null'],
      format: 'ip',
      context: inFull,
      readonly: true,
    },
  },
} as const
