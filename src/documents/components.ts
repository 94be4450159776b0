/**
 * What every document refers to: the error body (docs/wire.md#error-bodies), the answers that carry it, and how callers
 * prove who they are.
 */
export function componentsOf(cookieName: string) {
  return {
    schemas: {
      RestError: {
        type: 'object',
        required: ['code', 'message', 'data'],
        properties: {
          code: { type: 'string', description: 'Stable and machine readable.', examples: ['rest_invalid_param'] },
          message: { type: 'string', description: 'For people.' },
          data: {
            type: ['object', 'array', 'null'],
            properties: {
              status: { type: 'integer', description: 'The status of the answer.' },
              params: {
                description: 'Names of missing arguments, or by name why an argument is refused.',
                type: ['array', 'object'],
                items: { type: 'string' },
                additionalProperties: { type: 'string' },
              },
              details: { description: 'By name the problem itself, with its code.', type: ['object', 'array'] },
            },
          },
          additional_errors: { type: 'array', items: { type: 'object' } },
        },
      },
    },
    responses: {
      BadRequest: errorAnswer(
        'An argument is missing (`rest_missing_callback_param`) or refused (`rest_invalid_param`), or the body is no JSON (`rest_invalid_json`).',
      ),
      Unauthorized: errorAnswer(
        'Nobody identified himself and the route asks for it (`rest_forbidden`), or the credentials are wrong (`incorrect_password`).',
      ),
      Forbidden: errorAnswer(
        'The caller may not (`rest_forbidden`), or the nonce is not his (`rest_cookie_invalid_nonce`).',
      ),
      NotFound: errorAnswer('There is no such route (`rest_no_route`), or no such record.'),
      InternalServerError: errorAnswer('Something broke; the log has it under the X-Request-Id of the answer.'),
    },
    securitySchemes: {
      applicationPassword: {
        type: 'http',
        scheme: 'basic',
        description: 'A login and one of its application passwords, over HTTPS.',
      },
      loginCookie: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieName,
        description: 'The login cookie of a browser. It counts together with the nonce only.',
      },
      nonce: {
        type: 'apiKey',
        in: 'header',
        name: 'X-WP-Nonce',
        description: 'Made for the caller of the cookie; it may be sent as the parameter `_wpnonce` as well.',
      },
    },
  }
}

function errorAnswer(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/RestError' } } } }
}
