/** The `components` of the OpenAPI document: the schema of an error, the error responses, and the security schemes. */
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
              status: { type: 'integer', description: 'The status of the response.' },
              params: {
                description: 'The names of missing arguments, or for each refused argument the reason.',
                type: ['array', 'object'],
                items: { type: 'string' },
                additionalProperties: { type: 'string' },
              },
              details: {
                description: 'For each refused argument the problem, with its code.',
                type: ['object', 'array'],
              },
            },
          },
          additional_errors: { type: 'array', items: { type: 'object' } },
        },
      },
    },
    responses: {
      BadRequest: errorResponse(
        'An argument is missing (`rest_missing_callback_param`) or refused (`rest_invalid_param`), or the body is not JSON (`rest_invalid_json`).',
      ),
      Unauthorized: errorResponse(
        'The route requires a login and the request has no credentials (`rest_forbidden`), or the credentials are wrong (`incorrect_password`).',
      ),
      Forbidden: errorResponse(
        'The caller lacks the permission (`rest_forbidden`), or the nonce is not valid for the caller (`rest_cookie_invalid_nonce`).',
      ),
      NotFound: errorResponse('The route (`rest_no_route`) or the record does not exist.'),
      InternalServerError: errorResponse('An internal error. The log has it under the X-Request-Id of the response.'),
    },
    securitySchemes: {
      applicationPassword: {
        type: 'http',
        scheme: 'basic',
        description: 'A login name and an application password of that user, over HTTPS.',
      },
      loginCookie: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieName,
        description: 'The login cookie of a browser. It is accepted only together with the nonce.',
      },
      nonce: {
        type: 'apiKey',
        in: 'header',
        name: 'X-WP-Nonce',
        description: 'Issued to the user of the login cookie. It may also be sent as the parameter `_wpnonce`.',
      },
    },
  }
}

function errorResponse(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/RestError' } } } }
}
