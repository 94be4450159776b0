import type { ResponseErrorEntry } from './error-entry.js'

/** The errors of a request and of its arguments. */
export const requestErrors = {
  Requests: {
    rest_no_route: {
      status: '404',
      meaning: 'No route of the service matches the path and the method of the request.',
      remedy:
        'Compare the request with `as-rest-route routes`. `as-rest-route explain GET /wp-json/…` names the nearest routes.',
    },
    rest_invalid_namespace: {
      status: '404',
      meaning: 'The request asks for the description of a namespace that does not exist.',
      remedy: 'Read the existing namespaces in the index, `/wp-json/`.',
    },
    rest_path_invalid_type: {
      status: '400',
      meaning: '`rest_route` was sent as a list or a map.',
      remedy: 'Send `rest_route` once, as a string.',
    },
    rest_missing_callback_param: {
      status: '400',
      meaning: 'A required argument is missing. `data.params` lists the missing arguments.',
      remedy: 'Send the arguments.',
    },
    rest_invalid_param: {
      status: '400',
      meaning:
        'A value breaks the rules of its argument. `data.params` has a message for each argument, `data.details` the [problem](#problems-of-an-argument) behind it.',
      remedy: 'Send a valid value, or correct the rules of the argument.',
    },
    rest_invalid_json: {
      status: '400',
      meaning: 'The content type is JSON and the body is not. `data.json_error_message` says why.',
      remedy: 'Send valid JSON.',
    },
    rest_invalid_multipart: {
      status: '400',
      meaning:
        'The boundary of a `multipart/form-data` request, the headers of one of its parts, or all of its fields together are too long.',
      remedy:
        'Let the HTTP library of the client build the body and its `Content-Type`, and send large values as files.',
    },
    rest_too_many_json_values: {
      status: '400',
      meaning:
        'A JSON body contains too many values. Each list and map counts as a value, and so does each of their members.',
      remedy: 'Send the values in several requests.',
    },
    rest_params_too_complex: {
      status: '400',
      meaning: 'The values of the arguments take too much work to compare with the rules of the route.',
      remedy:
        'Send fewer values in each request. Each value counts once for each schema of `anyOf` and `oneOf` that it is compared with.',
    },
    rest_too_many_files: {
      status: '400',
      meaning: 'A `multipart/form-data` body contains more files than `max_files` of the declaration, else 20.',
      remedy: 'Send fewer files in each request, or raise `max_files`.',
    },
    rest_upload_incomplete: {
      status: '400',
      meaning: 'A file that the handler reads was cut off: the body ended before its part did.',
      remedy: 'Send the request again, with the closing boundary.',
    },
    rest_upload_too_large: {
      status: '413',
      meaning: 'An uploaded file is larger than the bytes that the handler holds in memory.',
      remedy: 'Send a smaller file. In the handler, read the file with `stream()`, or give `bytes` a higher limit.',
    },
    rest_upload_path_invalid: {
      status: '400',
      meaning:
        'An uploaded file cannot be stored under a path: it leads out of its folder, is hidden, or is too long for the file system.',
      remedy: 'Store the file under `file.name`, or under a name of your own.',
    },
    rest_upload_exists: {
      status: '409',
      meaning: 'An uploaded file cannot be stored, because a file with this path exists already.',
      remedy: 'Store the file under another path, or save it with `overwrite: true`.',
    },
    rest_too_many_params: {
      status: '400',
      meaning: 'The query or the form has too many variables.',
      remedy: 'Send fewer variables, or a JSON body.',
    },
    rest_params_too_deep: {
      status: '400',
      meaning: 'The names of query or form variables are nested too deeply, as in `a[b][c]`.',
      remedy: 'Send a flatter structure, or a JSON body.',
    },
    rest_callback_invalid: {
      status: '400',
      meaning: '`_jsonp` is not the name of a JavaScript function.',
      remedy: 'Send a name of letters, digits, `_` and `.`, or leave `_jsonp` out.',
    },
    parse_path_failed: {
      status: '400',
      meaning: 'The `path` of an item of a batch is not an address.',
      remedy: 'Send a path such as `/shop/v1/items`.',
    },
    rest_batch_not_allowed: {
      status: '400',
      meaning: 'The route of an item of a batch does not declare `allow_batch: true`.',
      remedy: 'Declare it, or send the request by itself.',
    },
  },
  'Problems of an argument': {
    rest_invalid_type: {
      meaning: 'The value cannot be converted to the `type` of the argument.',
      remedy: 'Send a value of the type.',
    },
    rest_invalid_multiple: {
      meaning: 'The number breaks `multipleOf`.',
      remedy: 'Send a multiple.',
    },
    rest_out_of_bounds: {
      meaning: 'The number breaks `minimum` or `maximum`.',
      remedy: 'Send a number between the limits.',
    },
    rest_too_short: {
      meaning: 'The string is shorter than `minLength`.',
      remedy: 'Send a longer string.',
    },
    rest_too_long: {
      meaning: 'The string is longer than `maxLength`.',
      remedy: 'Send a shorter string.',
    },
    rest_invalid_pattern: {
      meaning: 'The string does not match `pattern`. A string that is too long for a safe match does not match either.',
      remedy: 'Send a string that matches.',
    },
    rest_too_few_items: {
      meaning: 'The list has fewer items than `minItems`.',
      remedy: 'Send more items.',
    },
    rest_too_many_items: {
      meaning: 'The list has more items than `maxItems`.',
      remedy: 'Send fewer items.',
    },
    rest_duplicate_items: {
      meaning: 'The list breaks `uniqueItems`.',
      remedy: 'Send each item once.',
    },
    rest_file_too_large: {
      meaning: 'The file is larger than `max_size`.',
      remedy: 'Send a smaller file.',
    },
    rest_file_type_refused: {
      meaning: 'The extension or the media type of the file is not among `media_types`.',
      remedy: 'Send a file of one of these types, with its usual extension.',
    },
    rest_too_few_properties: {
      meaning: 'The object has fewer properties than `minProperties`.',
      remedy: 'Send more properties.',
    },
    rest_too_many_properties: {
      meaning: 'The object has more properties than `maxProperties`.',
      remedy: 'Send fewer properties.',
    },
    rest_property_required: {
      meaning: 'A property that the rules require is missing.',
      remedy: 'Send the property.',
    },
    rest_additional_properties_forbidden: {
      meaning: '`additionalProperties: false` forbids the property.',
      remedy: 'Leave the property out, or declare it in `properties`.',
    },
    rest_not_in_enum: {
      meaning: 'The value is not in `enum`.',
      remedy: 'Send one of the values.',
    },
    rest_invalid_hex_color: {
      meaning: "The string breaks `format: 'hex-color'`.",
      remedy: 'Send a colour such as `#1a2b3c`.',
    },
    rest_invalid_date: {
      meaning: "The string breaks `format: 'date-time'`.",
      remedy: 'Send a date such as `2026-12-01T10:00:00`.',
    },
    rest_invalid_email: {
      meaning: "The string breaks `format: 'email'`.",
      remedy: 'Send an e-mail address.',
    },
    rest_invalid_ip: {
      meaning: "The string breaks `format: 'ip'`.",
      remedy: 'Send an IPv4 or IPv6 address.',
    },
    rest_invalid_uuid: {
      meaning: "The string breaks `format: 'uuid'`.",
      remedy: 'Send a UUID.',
    },
    rest_user_invalid_username: {
      status: '400',
      meaning: 'The login name contains characters that are not allowed.',
      remedy: 'Leave `username` out: it cannot be changed.',
    },
    rest_user_invalid_password: {
      status: '400',
      meaning: 'The password is empty, or contains a backslash.',
      remedy: 'Choose another one.',
    },
    rest_no_matching_schema: {
      meaning: 'The value matches none of the rules in `anyOf` or `oneOf`.',
      remedy: 'Send a value that matches one of them.',
    },
    rest_one_of_multiple_matches: {
      meaning: 'The value matches several of the rules in `oneOf`.',
      remedy: 'Send a value that matches only one, or use `anyOf`.',
    },
  },
} satisfies Record<string, Record<string, ResponseErrorEntry>>
