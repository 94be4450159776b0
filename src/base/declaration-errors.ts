import type { ErrorEntry } from './error-entry.js'

/** Faults of a declaration and its handler. */
export const declarationErrors = {
  Declarations: {
    'declaration-missing': {
      meaning: 'The decorator has no declaration: `@AsRestRoute` is written without parentheses.',
      remedy: 'Write `@AsRestRoute({ namespace, route })`.',
    },
    'declaration-invalid': {
      meaning: 'The argument of the decorator is not an object.',
      remedy: 'Pass an object with `namespace` and `route`.',
    },
    'declaration-key-unknown': {
      meaning: 'A declaration has a key that does not exist. It is misspelt, or is the WordPress name of the key.',
      remedy: 'Correct the key, or remove it.',
    },
    'namespace-invalid': {
      meaning:
        'The namespace has no name or no version. `namespace` does not read `<name>/v<N>`, or contains characters that have a meaning in a pattern.',
      remedy: 'Write a namespace such as `shop/v1`.',
    },
    'method-unknown': {
      meaning:
        'The HTTP method is not one that a route can have. `method` is misspelt, in lower case, or a method such as `HEAD`.',
      remedy: 'Write one of GET, POST, PUT, PATCH and DELETE.',
    },
    'method-list': {
      meaning: 'One declaration names several HTTP methods: `method` is a list, or a string with commas or spaces.',
      remedy: 'Write one `@AsRestRoute` for each method. One handler may carry several.',
    },
    'route-invalid': {
      meaning: '`route` is missing, is not a string, or does not begin with a slash.',
      remedy: 'Begin the route with `/`.',
    },
    'route-of-index': {
      meaning: '`route` is `/`. The path of a namespace is answered by the index of the namespace.',
      remedy: 'Give the route a name, such as `/items`.',
    },
    'route-parameter-invalid': {
      meaning:
        'A path parameter is written as another framework writes it. In a PCRE pattern, `:id` and `{id}` are literal text.',
      remedy: 'Write the parameter as a named group: `(?P<id>\\d+)`.',
    },
    'pattern-backslash-lost': {
      meaning: "A backslash of the pattern is missing. In a JavaScript string `'\\d'` is the letter `d`.",
      remedy: "Write each backslash twice: `'(?P<id>\\\\d+)'`.",
    },
    'pattern-invalid': {
      meaning:
        'The PCRE pattern of a route or of an argument has a syntax error, or a construct without an equivalent in JavaScript.',
      remedy: 'Correct the pattern at the character that the message names.',
    },
    'pattern-slow': {
      meaning:
        'A match of the pattern of a route or of an argument can take too long: exponential time, or a power of the length of the text. The cause is a part of the pattern that can match the same text in many ways, such as a repetition inside a repetition. A pattern that is too large to be analysed is refused as well.',
      remedy:
        'Rewrite the pattern so that each text can match in one way only. For an argument, a small `maxLength` helps too.',
    },
    'declaration-flag-invalid': {
      meaning: '`allow_batch` or `show_in_index` is not a boolean.',
      remedy: 'Write `true` or `false`.',
    },
    'schema-invalid': {
      meaning: '`schema` is not an object.',
      remedy: "Write a JSON Schema, such as `{ title: 'product', type: 'object', properties: {} }`.",
    },
    'responses-invalid': {
      meaning:
        '`responses` is not an object that maps statuses to schemas, or has a key that is not the status of a final response.',
      remedy: "Write an object such as `{ 200: { type: 'object', properties: {} } }`.",
    },
    'response-open': {
      meaning:
        'A schema of a response has an object without `properties`, or an array without `items`. Everything that the handler returns there would be sent.',
      remedy:
        'List the properties, or write `additionalProperties: true`; give `items` a schema, or write `items: {}` for any item.',
    },
    'args-invalid': {
      meaning:
        '`args` is not an object, or a schema of a library that accepts no object, or an argument has a schema of a library in place of rules.',
      remedy:
        'Write an object that maps each argument name to its rules, or one schema of an object for all arguments.',
    },
    'argument-not-text': {
      meaning:
        'A schema of a library asks for a number or another value that is no text, for an argument of a path or of a GET. Paths and queries have only text, and the schema does not convert it.',
      remedy: 'Write a schema that converts text, such as `z.coerce.number()` or `z.stringbool()`.',
    },
    'additional-args-invalid': {
      meaning: '`additional_args` stands beside `args` that are a schema of a library.',
      remedy: 'Remove it, and use a strict object of the library, such as `z.strictObject`.',
    },
    'around-invalid': {
      meaning:
        '`around` of a declaration, of a class or of the configuration is not a list of functions that take the request and `next`.',
      remedy: 'Write `around: [async (request, next) => next()]`.',
    },
    'timeout-invalid': {
      meaning: '`timeout` is not a number of seconds from 0 to 86,400.',
      remedy: 'Write `timeout: 5`, or `timeout: 0` for no limit.',
    },
    'rate-limit-invalid': {
      meaning:
        '`rate_limit` is not an object of `requests`, a whole number from 1 on, and `per`, a word or a whole number of seconds up to 31 days, or allows more than 1,000 requests for each second.',
      remedy: "Write `rate_limit: { requests: 100, per: 'minute' }`.",
    },
    'rate-limit-not-shared': {
      meaning:
        'A declaration has `rate_limit`, and the service runs on the database of a WordPress site, which gets no table of ours. Without Redis each process would count for itself.',
      remedy: 'Set the option `redis_url`, or `service_database` to a database on a server, or remove `rate_limit`.',
    },
    'idempotency-key-invalid': {
      meaning: "`idempotency_key` is neither `'optional'` nor `'required'`, or the method is not POST.",
      remedy: "Write `idempotency_key: 'optional'` in the declaration of a POST, or remove it.",
    },
    'idempotency-without-table': {
      meaning:
        'A declaration has `idempotency_key`, and the service runs on the database of a WordPress site, which gets no table for the responses.',
      remedy: 'Set the option `service_database`, or remove `idempotency_key`.',
    },
    'event-stream-invalid': {
      meaning: '`event_stream` is not a boolean, the method is not GET, or the declaration has `cache` as well.',
      remedy: 'Write `event_stream: true` in the declaration of a GET without `cache`, or remove it.',
    },
    'body-limit-invalid': {
      meaning: '`body_limit` of a declaration is not a whole number of bytes from 0 to 1 GiB.',
      remedy: 'Write `body_limit: 10_000_000`, or remove it for the limit of the option `body_limit`.',
    },
    'max-files-invalid': {
      meaning: '`max_files` of a declaration is not a whole number from 0 to 1,000.',
      remedy: 'Write `max_files: 5`, or remove it for 20 files.',
    },
    'file-without-post': {
      meaning: 'An argument has the type `file`, and the method is not POST. Forms with files are sent with POST only.',
      remedy: "Write `method: 'POST'`.",
    },
    'file-unreachable': {
      meaning:
        '`max_size` of a file, or `maxItems` of a list of files, is more than a body may have by `body_limit` or `max_files`. Such a request would be refused before its arguments are validated.',
      remedy: 'Declare a larger `body_limit` or `max_files`, or smaller limits of the file.',
    },
    'cache-invalid': {
      meaning: '`cache` is neither a whole number of seconds from 1 on, nor an object with such a number as `seconds`.',
      remedy: "Write `cache: 60`, or `cache: { seconds: 60, tags: ['product'] }`.",
    },
    'cache-key-unknown': {
      meaning: '`cache` has a key that does not exist. The keys are `seconds` and `tags`.',
      remedy: 'Correct the key, or remove it.',
    },
    'cache-tags-invalid': {
      meaning: 'The `tags` of `cache` are not a list of strings.',
      remedy: "Write a list of record types, such as `['product']`.",
    },
    'cache-not-get': {
      meaning: 'A route with another method than GET declares `cache`.',
      remedy: 'Remove `cache` from the declaration.',
    },
    'cache-not-public': {
      meaning:
        "A route without `permission: 'public'` declares `cache`. Only responses that everybody may see are cached.",
      remedy: 'Remove `cache`, or make the route public.',
    },
    'cache-tag-unknown': {
      meaning:
        'A tag of `cache` is neither a record type nor `terms`, `users` or `options`. No write would ever invalidate the cached response.',
      remedy: 'Correct the tag, or declare the record type.',
    },
  },
  Handlers: {
    'handler-is-class': {
      meaning: '`@AsRestRoute` decorates a class.',
      remedy: 'Put the decorator on a method.',
    },
    'handler-not-method': {
      meaning: '`@AsRestRoute` decorates a field, a getter, a setter or an accessor.',
      remedy: 'Make the member a method.',
    },
    'handler-static': {
      meaning: 'The decorated method is static. A handler is a method of an object, which can have dependencies.',
      remedy: 'Remove `static`.',
    },
    'handler-private': {
      meaning: 'The name of the decorated method begins with `#`, so the service cannot call it.',
      remedy: 'Rename the method without `#`.',
    },
    'handler-symbol': {
      meaning: 'The name of the decorated method is a symbol.',
      remedy: 'Give the method a name that is a string.',
    },
    'handler-overridden': {
      meaning: 'A subclass inherits the declaration and replaces the handler by a field or a getter of the same name.',
      remedy: 'Rename the member of the subclass, or make it a method.',
    },
    'handler-parameters': {
      meaning:
        'A handler has too many parameters. A method is called with the request only; the handler function of an endpoint is called with the request and the dependencies.',
      remedy: 'Inject dependencies in the constructor, or name them in `dependencies` of an endpoint.',
    },
    'handler-not-function': {
      meaning: 'The second argument of `endpoint` is not a function.',
      remedy: 'Write the handler behind the declaration: `endpoint({ … }, (request) => …)`.',
    },
    'dependencies-invalid': {
      meaning: '`dependencies` of an endpoint does not map names to classes.',
      remedy: 'Write the class, not its name: `dependencies: { records: RecordStore }`.',
    },
    'decorators-legacy': {
      meaning:
        'The module was compiled with the decorators of the old proposal: `experimentalDecorators` is set in `tsconfig.json`, or in the options of the compiler.',
      remedy: 'Remove `experimentalDecorators`.',
    },
  },
  Permissions: {
    'permission-invalid': {
      meaning: '`permission` is neither a string nor null.',
      remedy: "Write `'public'`, the name of a method, or leave `permission` out.",
    },
    'permission-unknown': {
      meaning:
        "The class has no method of the permission's name. It is misspelt, or is a capability such as `edit_posts`.",
      remedy: 'Correct the name, or add a method that returns true or false.',
    },
    'permission-not-function': {
      meaning: 'The permission of an endpoint without a class is neither a function nor `public` nor null.',
      remedy: "Write `'public'`, a function of the request, or leave `permission` out.",
    },
    'permission-not-method': {
      meaning: 'The permission names a field, a getter or a setter.',
      remedy: 'Write the member as a method that returns true or false.',
    },
    'permission-parameters': {
      meaning:
        'A permission callback has too many parameters. A method is called with the request only; the permission function of an endpoint is called with the request and the dependencies.',
      remedy: 'Remove the other parameters.',
    },
    'permission-is-handler': {
      meaning: 'The permission names a handler. The method of that name answers requests itself.',
      remedy: 'Name a method that returns true or false.',
    },
  },
  'Conflicting routes': {
    'route-duplicate': {
      meaning:
        'Two declarations answer the same method of the same route. Namespace, route and method are equal, apart from slashes at the ends.',
      remedy: 'Remove one of the two declarations.',
    },
    'route-reserved': {
      meaning: 'The service itself answers this method of this route. An example is `GET wp/v2/users/me`.',
      remedy: 'Choose another route.',
    },
    'route-shadowed': {
      meaning:
        'The route can never be reached. An earlier route of the same method matches every path that this route matches.',
      remedy: 'Declare the narrower route first, or narrow the other one.',
    },
    'route-hides-own': {
      meaning:
        "The route hides one that the service itself answers. The pattern matches every path of one of the service's own endpoints and comes first.",
      remedy: 'Narrow the pattern, or choose another route.',
    },
  },
  Arguments: {
    'rules-invalid': {
      meaning: 'The rules of an argument, or rules inside them such as `items`, are not an object.',
      remedy: "Write an object, such as `{ type: 'string' }`.",
    },
    'rules-too-deep': {
      meaning: 'The rules of an argument are nested more than 32 levels deep, or contain themselves.',
      remedy: 'Flatten the rules.',
    },
    'rule-unknown': {
      meaning: 'There is no rule of this name.',
      remedy: 'Correct the name of the rule, or remove it.',
    },
    'rule-invalid': {
      meaning: 'The value of a rule has the wrong type, such as a string as `minimum`.',
      remedy: 'Write a value of the type in the message.',
    },
    'file-misplaced': {
      meaning:
        'The type `file` stands in a response, in metadata, in `properties`, `anyOf` or `oneOf`, or in a list of types. Only an argument of a route can be a file, or a list of files.',
      remedy: "Write `poster: { type: 'file' }` or `pages: { type: 'array', items: { type: 'file' } }` in `args`.",
    },
    'file-rule-invalid': {
      meaning:
        'A file, or a list of files, has a rule that compares values or stands for one: `default`, `enum`, `anyOf`, `oneOf`, `uniqueItems`, or a sanitiser of texts by name. Files are objects, and their contents are not read.',
      remedy:
        'Remove the rule. `media_types`, `max_size`, `minItems` and `maxItems` are the rules of files; a `validate_callback` can check more.',
    },
    'callback-misplaced': {
      meaning:
        '`validate_callback` or `sanitize_callback` is inside `items` or `properties`, where it would never be called.',
      remedy: 'Move the callback to the argument itself.',
    },
    'type-unknown': {
      meaning: 'There is no type of this name. It is misspelt, or is the name in another language, such as `int`.',
      remedy: 'Write one of string, integer, number, boolean, array, object and null.',
    },
    'type-invalid': {
      meaning: '`type` is an empty list, or contains something other than strings.',
      remedy: 'Write a type, or a list of types.',
    },
    'format-unknown': {
      meaning: 'There is no format of this name.',
      remedy: 'Write one of the [formats](declaring.md#the-rules-of-an-argument).',
    },
    'rule-without-effect': {
      meaning:
        'A rule has no effect. It does not apply to values of the declared type, as `minLength` does not apply to integers.',
      remedy: 'Remove the rule, or correct the type.',
    },
    'range-empty': {
      meaning: 'A lower limit is above the upper limit, so no value is valid.',
      remedy: 'Exchange the two limits, or correct one of them.',
    },
    'enum-impossible': {
      meaning: 'No valid value can equal this entry of `enum`: it breaks another rule of the argument.',
      remedy: 'Remove the entry, or correct the rule.',
    },
    'default-invalid': {
      meaning: '`default` breaks the rules of its argument, such as its type or its limits.',
      remedy: 'Change the default, or the rule that it breaks.',
    },
    'default-not-json': {
      meaning:
        '`default` contains a value without a JSON form, such as a function. It could not be copied for each request.',
      remedy: 'Use a default with a JSON form.',
    },
    'argument-untyped': {
      meaning: 'An argument has rules and no `type`. Without a type nothing is validated, as in WordPress.',
      remedy: 'Give the argument a `type`.',
    },
    'validate-callback-invalid': {
      meaning: '`validate_callback` is not a function.',
      remedy: 'Write a function.',
    },
    'sanitize-callback-invalid': {
      meaning: '`sanitize_callback` is neither the name of a sanitiser nor a function.',
      remedy: 'Write the name of a sanitiser, or a function.',
    },
    'callback-asynchronous': {
      meaning: 'A validator or sanitiser is an `async` function. Its promise would accept every value.',
      remedy: 'Make the callback synchronous, and move asynchronous checks into the handler.',
    },
    'sanitizer-unknown': {
      meaning: 'No sanitiser has this name. It is misspelt, or missing in the option `sanitizers`.',
      remedy: 'Correct the name, or add the sanitiser to the option `sanitizers`.',
    },
  },
} satisfies Record<string, Record<string, ErrorEntry>>
