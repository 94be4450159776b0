import type { ErrorEntry } from './error-entry.js'

/** An entry with the status of the response: `404`, `401 or 403`. */
interface ResponseErrorEntry extends ErrorEntry {
  /** Absent for a problem inside another error. */
  readonly status?: string
}

/**
 * The errors in the responses of the service, by section of docs/errors.md and by code. WordPress's codes and messages are
 * kept to the letter.
 */
export const responseErrors = {
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
      meaning: 'The boundary of a `multipart/form-data` request, or the headers of one of its parts, are too long.',
      remedy: 'Let the HTTP library of the client build the body and its `Content-Type`.',
    },
    rest_too_many_json_values: {
      status: '400',
      meaning:
        'A JSON body contains too many values. Each list and map counts as a value, and so does each of their members.',
      remedy: 'Send the values in several requests.',
    },
    rest_too_many_files: {
      status: '400',
      meaning: 'A `multipart/form-data` body contains too many files.',
      remedy: 'Send fewer files in each request.',
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
  Callers: {
    rest_forbidden: {
      status: '401 or 403',
      meaning: 'The permission of the route refuses the caller. The status is 401 for an anonymous caller, else 403.',
      remedy: 'Log in, or use an account with the capability. `as-rest-route explain` names the permission.',
    },
    rest_not_logged_in: {
      status: '401',
      meaning: 'The route is about the caller, who is anonymous.',
      remedy: 'Send a login cookie with a nonce, or an application password.',
    },
    rest_cookie_invalid_nonce: {
      status: '403',
      meaning:
        'The login cookie is valid and the nonce is not: it is older than a day, or belongs to another user or session.',
      remedy: 'Fetch a new nonce from `/wp-admin/admin-ajax.php?action=rest-nonce`.',
    },
    invalid_username: {
      status: '401 or 400',
      meaning:
        '401: no user has the login name of the credentials. 400: the login name of a new user contains characters that are not allowed.',
      remedy: 'Correct the login name.',
    },
    incorrect_password: {
      status: '401',
      meaning: 'The user has no such application password. The password of an account is not accepted.',
      remedy: 'Create an application password for the program.',
    },
    application_passwords_disabled: {
      status: '401 or 501',
      meaning: 'The request came over plain HTTP from another machine. The message names the reason.',
      remedy: "Use HTTPS, set `trusted_proxies`, or `environment: 'local'` for development.",
    },
    too_many_attempts: {
      status: '429',
      meaning: 'Too many wrong passwords were sent for the account or from the network. `Retry-After` has the seconds.',
      remedy: 'Wait. The [limits](operating.md#limits) are in memory of each process.',
    },
    service_busy: {
      status: '503',
      meaning: 'Too many passwords wait to be verified.',
      remedy: 'Send the request again after the seconds of `Retry-After`.',
    },
  },
  'Users and application passwords': {
    empty_user_login: {
      status: '400',
      meaning: 'The login name of a new user is empty.',
      remedy: 'Choose a login name.',
    },
    user_login_too_long: {
      status: '400',
      meaning: 'The login name of a new user is too long.',
      remedy: 'Choose a shorter one.',
    },
    existing_user_login: {
      status: '400',
      meaning: 'Another user has the login name.',
      remedy: 'Choose another one.',
    },
    existing_user_id: {
      status: '400',
      meaning: 'Another user has the id of the new user.',
      remedy: 'Leave the id out.',
    },
    invalid_email: {
      status: '400 or 401',
      meaning: '400: the address of a user is not an e-mail address. 401: no user has the address of the credentials.',
      remedy: 'Correct the address.',
    },
    user_email_too_long: {
      status: '400',
      meaning: 'The address of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    existing_user_email: {
      status: '400',
      meaning: 'Another user has the address.',
      remedy: 'Choose another one.',
    },
    empty_password: {
      status: '400',
      meaning: 'The password of a user is empty.',
      remedy: 'Choose a password.',
    },
    password_too_long: {
      status: '400',
      meaning: 'The password of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    display_name_too_long: {
      status: '400',
      meaning: 'The display name of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    invalid_display_name: {
      status: '400',
      meaning: 'The display name contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    invalid_role: {
      status: '400',
      meaning: 'There is no role of this name.',
      remedy: 'Choose an existing role, or declare it in the option `roles`.',
    },
    invalid_user_id: {
      status: '400',
      meaning: 'There is no user with the id, or a new user has an id that cannot be stored.',
      remedy: 'Correct the id.',
    },
    invalid_reassign: {
      status: '400',
      meaning: 'The user who shall get the records of a deleted user does not exist, or is that user.',
      remedy: 'Choose another user.',
    },
    user_url_too_long: {
      status: '400',
      meaning: 'The website of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    empty_user_nicename: {
      status: '400',
      meaning: 'Sanitising leaves nothing of the slug of a user.',
      remedy: 'Send a slug with Latin letters or digits.',
    },
    user_nicename_too_long: {
      status: '400',
      meaning: 'The slug of a user is too long.',
      remedy: 'Choose a shorter one.',
    },
    invalid_user_text: {
      status: '400',
      meaning: 'A text of a user contains half a surrogate pair, or bytes that are not UTF-8.',
      remedy: 'Send valid Unicode.',
    },
    rest_user_invalid_email: {
      status: '400',
      meaning: 'Another user has the address.',
      remedy: 'Choose another one.',
    },
    rest_user_invalid_argument: {
      status: '400',
      meaning: 'The request would change the login name of the user.',
      remedy: 'Leave `username` out.',
    },
    rest_user_invalid_slug: {
      status: '400',
      meaning: 'Another user has the slug.',
      remedy: 'Choose another one.',
    },
    rest_user_invalid_role: {
      status: '400 or 403',
      meaning:
        '400: there is no role of this name. 403: administrators cannot take the capability `edit_users` from themselves.',
      remedy: 'Choose another role.',
    },
    rest_cannot_edit_roles: {
      status: '401 or 403',
      meaning: 'The caller may not change the roles of the user.',
      remedy: 'Use an account with the capability `promote_users`.',
    },
    rest_cannot_edit: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_user_cannot_delete: {
      status: '401 or 403',
      meaning: 'The caller may not delete the user.',
      remedy: 'Use an account with the capability `delete_users`.',
    },
    rest_trash_not_supported: {
      status: '501',
      meaning: 'Users have no trash, so `force` must be true.',
      remedy: 'Send `force=true`.',
    },
    rest_user_invalid_reassign: {
      status: '400',
      meaning: 'The user who shall get the records of the deleted user does not exist, or is that user.',
      remedy: 'Choose another user.',
    },
    rest_user_invalid_id: {
      status: '404',
      meaning: 'The path of the request names a user who does not exist.',
      remedy: 'Correct the id.',
    },
    rest_application_password_not_found: {
      status: '404',
      meaning: 'The user has no application password with the UUID of the path.',
      remedy: 'List the application passwords.',
    },
    application_password_empty_name: {
      status: '400',
      meaning: 'The name of a new application password is empty.',
      remedy: 'Send a name.',
    },
    application_password_not_text: {
      status: '400',
      meaning: 'The name or the application id contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    application_password_name_too_long: {
      status: '400',
      meaning: 'The name of an application password is too long.',
      remedy: 'Send a shorter one.',
    },
    too_many_application_passwords: {
      status: '400',
      meaning: 'The user has as many application passwords as a user may have.',
      remedy: 'Revoke one.',
    },
    rest_no_authenticated_app_password: {
      status: '404',
      meaning: 'The request was not authenticated by an application password.',
      remedy: 'Send one.',
    },
    rest_cannot_introspect_app_password_for_non_authenticated_user: {
      status: '401 or 403',
      meaning: 'The path names another user than the caller.',
      remedy: 'Use `users/me` as the path.',
    },
    rest_cannot_list_application_passwords: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_create_application_passwords: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_delete_application_passwords: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_read_application_password: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_edit_application_password: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
    rest_cannot_delete_application_password: {
      status: '401 or 403',
      meaning: 'The caller may not edit the user.',
      remedy: 'Use an account that may edit the user.',
    },
  },
  'Records and terms': {
    empty_content: {
      status: '400',
      meaning: 'A record of a type with these fields has no text in any of them.',
      remedy: 'Send one of the fields.',
    },
    invalid_date: {
      status: '400',
      meaning: 'The date of a record does not exist.',
      remedy: 'Send a date such as `2026-12-01T10:00:00`.',
    },
    db_insert_error: {
      status: '400',
      meaning:
        'A text of a new record is too long for its column, or not valid UTF-8. The `data` of the error names the columns.',
      remedy: 'Send a shorter or a valid text.',
    },
    db_update_error: {
      status: '400',
      meaning:
        'A changed text of a record is too long for its column, or not valid UTF-8. The `data` of the error names the columns.',
      remedy: 'Send a shorter or a valid text.',
    },
    invalid_post_id: {
      status: '400',
      meaning: 'Another record has the id of the new record.',
      remedy: 'Leave the id out.',
    },
    invalid_meta_key: {
      status: '400',
      meaning: 'A metadata key is empty or too long.',
      remedy: 'Choose another key.',
    },
    invalid_meta_value: {
      status: '400',
      meaning: 'A metadata value contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    invalid_taxonomy: {
      status: '400',
      meaning: 'The record type does not declare the taxonomy.',
      remedy: 'Declare it in `taxonomies` of the record type.',
    },
    invalid_term: {
      status: '400',
      meaning: 'The record refers to a term that does not exist.',
      remedy: 'Create the term, or correct the slug.',
    },
    empty_term_name: {
      status: '400',
      meaning: 'The name of a new term is empty.',
      remedy: 'Choose a name.',
    },
    invalid_term_name: {
      status: '400',
      meaning: 'The name of a new term is too long or not valid Unicode.',
      remedy: 'Choose another one.',
    },
    invalid_term_description: {
      status: '400',
      meaning: 'The description of a new term contains half a surrogate pair.',
      remedy: 'Send valid Unicode.',
    },
    invalid_term_id: {
      status: '400',
      meaning: 'Another term has the id of the new term.',
      remedy: 'Leave the id out.',
    },
    missing_parent: {
      status: '400',
      meaning: 'The parent of a new term does not exist.',
      remedy: 'Create the parent first.',
    },
    term_exists: {
      status: '400',
      meaning: 'Another term of the taxonomy has the slug of the new term.',
      remedy: 'Use the existing term, or another slug.',
    },
  },
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
    service_unavailable: {
      status: '503',
      meaning:
        'The database is busy, cannot be reached or cannot be written, or the service is being stopped. `Retry-After` has the seconds.',
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
      meaning: 'The body is larger than the option `body_limit`.',
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
      meaning: 'The method of the request is `CONNECT`.',
      remedy: 'Correct the proxy settings of the client.',
    },
    rest_expectation_failed: {
      status: '417',
      meaning: 'The header `Expect` has another value than `100-continue`.',
      remedy: 'Remove the header.',
    },
  },
} satisfies Record<string, Record<string, ResponseErrorEntry>>

type Sections = typeof responseErrors

/** A code in the responses of the service itself. */
export type ResponseErrorCode = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections]
