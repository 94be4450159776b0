/** The `components` of the OpenAPI document: the schema of an error, the error responses, and the security schemes. */
export function componentsOf(cookieName: string) {
  return {
    schemas: {
      RestError: {
        type: 'object',
        // Without `data`: `rest_callback_invalid`.
        required: ['code', 'message'],
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
        'An argument is missing (`rest_missing_callback_param`) or refused (`rest_invalid_param`), the body is not JSON (`rest_invalid_json`), or the request is malformed (`rest_bad_request`).',
      ),
      Unauthorized: errorResponse(
        'The route requires a login and the request has no credentials (`rest_forbidden`), or the credentials are wrong (`incorrect_password`).',
      ),
      Forbidden: errorResponse(
        'The caller lacks the permission (`rest_forbidden`), or the nonce is not valid for the caller (`rest_cookie_invalid_nonce`).',
      ),
      NotFound: errorResponse('The route (`rest_no_route`) or the record does not exist.'),
      RequestTimeout: errorResponse('The request arrived too slowly (`rest_request_timeout`).'),
      ContentTooLarge: errorResponse('The body is larger than the limit of the service (`rest_request_too_large`).'),
      ExpectationFailed: errorResponse(
        'The header `Expect` has another value than `100-continue` (`rest_expectation_failed`).',
      ),
      TooManyRequests: errorResponse(
        'Too many wrong passwords were sent for the account or from the network (`too_many_attempts`).',
        retryAfter,
      ),
      HeaderFieldsTooLarge: errorResponse('Address and headers are too large (`rest_headers_too_large`).'),
      InternalServerError: errorResponse('An internal error. The log has it under the X-Request-Id of the response.'),
      ServiceUnavailable: errorResponse(
        'The database is busy, cannot be reached or cannot be written, or the service is being stopped (`service_unavailable`); or too many passwords wait to be verified (`service_busy`).',
        retryAfter,
      ),
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

const retryAfter = {
  'Retry-After': { description: 'Seconds until another attempt.', schema: { type: 'integer', minimum: 0 } },
}

const rateLimit = {
  RateLimit: {
    description: 'Requests that are left of the limit, and seconds until it is whole again: `"default";r=99;t=1`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit, requests in seconds: `"default";q=100;w=60`.',
    schema: { type: 'string' },
  },
}

/** The 429 of a route with a limit of its own. */
export const rateLimited = errorResponse(
  'The caller has sent more requests than the limit of the route allows (`rest_too_many_requests`), or too many wrong passwords were sent for the account or from the network (`too_many_attempts`).',
  { ...retryAfter, ...rateLimit },
)

/** The responses of a route that takes keys. */
export const keyInUse = errorResponse(
  'The first request with this `Idempotency-Key` is still being carried out (`rest_idempotency_key_in_use`), or its response could not be stored (`rest_idempotency_response_not_stored`).',
  retryAfter,
)
export const keyReused = errorResponse(
  'The `Idempotency-Key` belongs to another request (`rest_idempotency_key_reused`).',
)

/** The responses of a route with `conditional`. */
export const preconditionFailed = errorResponse(
  'The resource is not in the version of `If-Match`, or exists although `If-None-Match` is sent (`rest_precondition_failed`).',
)

export const entityTag = {
  ETag: { description: 'The version of the resource, for `If-Match` and `If-None-Match`.', schema: { type: 'string' } },
}

function errorResponse(description: string, headers?: Readonly<Record<string, object>>) {
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/RestError' } } },
  }
}
