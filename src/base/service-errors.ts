import type { ResponseErrorEntry } from './error-entry.js'

/** The errors of the service and of its HTTP. */
export const serviceErrors = {
  'The service': {
    internal_server_error: {
      status: '500',
      meaning:
        'The handler, or the service itself, threw an error that is not a `RestError`. The response says nothing about it.',
      remedy: 'Look up the `X-Request-Id` of the response in the log, which has the stack trace.',
    },
    rest_encode_error: {
      status: '500',
      meaning: 'The body of a response has no JSON form. The log names the handler and the place in the body.',
      remedy: 'Correct the handler.',
    },
    rest_precondition_failed: {
      status: '412',
      meaning:
        'The version of the resource is not one of those in `If-Match`, or the request has `If-None-Match: *` and there is such a resource. The handler did not run.',
      remedy: 'Read the resource again, and send the new `ETag` if the change is still wanted.',
    },
    rest_file_not_found: {
      status: '404',
      meaning: '`fileResponse` found no file of this name below its folder.',
      remedy: 'Correct the name. Hidden files and files outside of the folder are never sent.',
    },
    rest_body_not_json: {
      status: '406',
      meaning:
        'The route answers with bytes or a stream, and the request has `_envelope` or `_jsonp`, or is an item of a batch. The handler has run.',
      remedy: 'Send the request by itself, without these parameters.',
    },
    rest_too_many_requests: {
      status: '429',
      meaning:
        'The user has sent more requests to the route than its `rate_limit` allows. Anonymous requests count for their network. `Retry-After` says for how many seconds to wait.',
      remedy:
        'Wait, and send fewer requests. The headers `RateLimit` and `RateLimit-Policy` of each response say how many are left.',
    },
    rest_idempotency_key_required: {
      status: '400',
      meaning: "The route declares `idempotency_key: 'required'`, and the request has no header `Idempotency-Key`.",
      remedy: 'Send a new UUID with each request, and the same one with its repeats.',
    },
    rest_idempotency_key_invalid: {
      status: '400',
      meaning:
        'The header `Idempotency-Key` is empty, longer than 255 characters, or has other characters than visible ones of ASCII.',
      remedy: 'Send a UUID.',
    },
    rest_idempotency_key_in_use: {
      status: '409',
      meaning:
        'The first request with this `Idempotency-Key` is still being carried out, or its process has died less than a minute ago.',
      remedy: 'Repeat the request after the seconds of `Retry-After`.',
    },
    rest_idempotency_response_not_stored: {
      status: '409',
      meaning:
        'The request was carried out, but its response could not be stored: it is larger than 256 KiB, is a stream, or has no JSON form.',
      remedy: 'Read what the request has made. A handler that takes keys should answer with a small JSON body.',
    },
    rest_idempotency_key_reused: {
      status: '422',
      meaning: 'The `Idempotency-Key` was sent with another request: another path, query or body.',
      remedy: 'Send a new key with a new request.',
    },
    rest_timeout: {
      status: '503',
      meaning: 'The response took longer than the `timeout` of the route, or than the option `request_timeout`.',
      remedy: 'Try again later. A route that needs more time declares `timeout`.',
    },
    service_unavailable: {
      status: '503',
      meaning:
        'The database is busy, cannot be reached or cannot be written, or the service is being started or stopped. `Retry-After` has the seconds.',
      remedy: 'Send the request again. When it lasts, read `/readyz` and the log.',
    },
    rest_bad_request: {
      status: '400',
      meaning: 'The request is malformed HTTP, or its body is incomplete.',
      remedy: 'Correct the client.',
    },
    rest_headers_too_large: {
      status: '431',
      meaning: 'Address and headers of the request have more than 16 KiB.',
      remedy: 'Send fewer or shorter headers.',
    },
    rest_request_too_large: {
      status: '413',
      meaning: 'The body is larger than `body_limit` of the route, or else than the option `body_limit`.',
      remedy: 'Send a smaller body, or raise `body_limit`.',
    },
    rest_request_timeout: {
      status: '408',
      meaning: 'The headers took more than 20 seconds, or the request more than 60.',
      remedy: 'Send the request again over a better connection.',
    },
    rest_http_version_not_supported: {
      status: '505',
      meaning: 'The request line names another version of HTTP than 1.0 or 1.1.',
      remedy: 'Send HTTP/1.1. A proxy in front of the service may speak other versions.',
    },
    rest_not_implemented: {
      status: '501',
      meaning:
        'The method of the request is `CONNECT`, or the header `Transfer-Encoding` has another value than `chunked`.',
      remedy: 'Correct the proxy settings of the client, or send the body as it is.',
    },
    rest_expectation_failed: {
      status: '417',
      meaning: 'The header `Expect` has another value than `100-continue`.',
      remedy: 'Remove the header.',
    },
  },
} satisfies Record<string, Record<string, ResponseErrorEntry>>
