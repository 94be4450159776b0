import type { ErrorEntry } from './error-entry.js'

/**
 * Why a service does not start, by section of docs/errors.md and by code. The document is generated from this table; an
 * example of each message is added by the test that checks it. Codes do not change.
 */
export const startupErrors = {
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
    'args-invalid': {
      meaning: '`args` is not an object.',
      remedy: 'Write an object that maps each argument name to its rules.',
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
      meaning: 'A tag of `cache` names no record type. No write would ever invalidate the cached response.',
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
      remedy: 'Write one of the formats in docs/declaring.md.',
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
  'Modules and classes': {
    'folder-missing': {
      meaning:
        'The folder of the handler classes, or the folder of the option `handlers`, `views` or `public`, does not exist.',
      remedy: 'Correct the path, or create the folder.',
    },
    'tsx-missing': {
      meaning: 'The folder contains TypeScript, and the package `tsx` is not installed.',
      remedy: 'Install tsx, or build the application and name the built folder.',
    },
    'module-failed': {
      meaning:
        'A module cannot be loaded: it has a syntax error, throws an error, or imports a module that does not exist.',
      remedy: 'Correct the module at the line of the diagnostic.',
    },
    'module-commonjs': {
      meaning: 'Node treats the module as CommonJS, because the nearest `package.json` lacks `"type": "module"`.',
      remedy: 'Set `"type": "module"` in `package.json`.',
    },
    'decorators-not-compiled': {
      meaning: 'A JavaScript module contains decorators, which no version of Node supports yet.',
      remedy: 'Compile the module, or name it `.ts` and install tsx.',
    },
    'class-not-exported': {
      meaning: 'A class with declarations is not exported by its module, so the service cannot find it.',
      remedy: 'Export the class.',
    },
    'endpoint-not-exported': {
      meaning: 'An endpoint is not exported by its module, so the service cannot find it.',
      remedy: 'Export the endpoint.',
    },
    'route-missing': {
      meaning: 'The folder, or the list passed to `boot`, contains no class with a decorated method and no endpoint.',
      remedy: 'Name the folder of the handler classes and endpoints.',
    },
    'route-source-invalid': {
      meaning:
        'The list passed to `boot` contains a class without `@AsRestRoute`, or a value that is neither a class nor an endpoint.',
      remedy: 'Remove the value from the list, or declare a route in the class.',
    },
    'handler-source-invalid': {
      meaning: 'The first argument of `boot` is neither a folder nor a list of classes and endpoints.',
      remedy: 'Pass the folder of the handlers, or a list of classes and endpoints.',
    },
    'package-duplicate': {
      meaning:
        'Several copies of the package are loaded, because a bundle contains one or because two versions are installed. Routes that are declared through one copy are unknown to the other.',
      remedy: 'Install one copy, and leave the package out of bundles.',
    },
  },
  Dependencies: {
    'implementation-missing': {
      meaning: 'A constructor injects an abstract class without an implementation in the option `provide`.',
      remedy: 'Name the implementation: `provide: [[Contract, YourClass]]`.',
    },
    'mailer-missing': {
      meaning: 'A constructor injects `Mailer`, and the service cannot send email.',
      remedy:
        'Set the option `smtp_url` or the environment variable `SMTP_URL`, or provide a mailer: `provide: [[Mailer, YourMailer]]`. In the environments `development` and `local`, messages go to the log.',
    },
    'views-missing': {
      meaning:
        'A constructor injects `ViewEngineInterface`, and there is neither a folder of templates nor another engine.',
      remedy:
        'Create the folder `views` beside the configuration, name another one in the option `views`, or provide an engine.',
    },
    'constructor-failed': {
      meaning: 'The constructor of a handler class, or of one of its dependencies, throws an error.',
      remedy: 'Correct the constructor at the line in the message.',
    },
    'dependency-cycle': {
      meaning: 'Classes inject each other in a cycle.',
      remedy: 'Pass one of the objects to the methods that use it, not to the constructor.',
    },
    'constructor-parameter-without-default': {
      meaning: 'A constructor parameter of a handler class, or of a dependency, has no default.',
      remedy: 'Write `= inject(ItsClass)` behind the parameter.',
    },
    'inject-without-class': {
      meaning:
        'The argument of `inject` is not a class. It is undefined when the class is part of a circular import, or is not exported under this name.',
      remedy: 'Import the class from the file that declares it, and break the circular import.',
    },
  },
  Options: {
    'configuration-not-exported': {
      meaning: 'The default export of `as-rest-route.config.ts` is missing or not an object.',
      remedy: 'Write `export default { ... } satisfies Configuration`.',
    },
    'options-invalid': {
      meaning: 'The second argument of `boot` is not an object.',
      remedy: "Pass an object, such as `{ rest_prefix: 'api' }`.",
    },
    'option-unknown': {
      meaning: 'There is no option of this name, or no key of this name in `site` or `secrets`.',
      remedy: 'Correct the name, or remove the option.',
    },
    'option-misplaced': {
      meaning:
        '`boot` has no options `port` and `host`, which belong to `listen`, and no option `handlers`, which belongs to the configuration file.',
      remedy: 'Move the option to the place in the message.',
    },
    'option-type-invalid': {
      meaning: 'The value of an option has the wrong type.',
      remedy: 'Write a value of the type in the message.',
    },
    'rest-prefix-invalid': {
      meaning:
        '`rest_prefix` is empty, begins or ends with a slash, or contains other characters than letters, digits, `_` and `-`.',
      remedy: 'Write path segments such as `wp-json`, without slashes around them.',
    },
    'base-url-invalid': {
      meaning: '`base_url` is not an absolute http or https address, or has a query.',
      remedy: 'Write an address such as `https://shop.example`.',
    },
    'http-unknown': {
      meaning: '`http`, or the environment variable `AS_REST_ROUTE_HTTP`, is neither `fast` nor `node`.',
      remedy: 'Write `fast` or `node`, or leave it out.',
    },
    'smtp-url-invalid': {
      meaning: 'The server for email is not the URL of an SMTP server.',
      remedy: 'Use `smtps://user:password@host`, or `smtp://` for a server that begins without TLS.',
    },
    'smtp-package-missing': {
      meaning: 'The option `smtp_url` is set, and the package that speaks SMTP is not installed.',
      remedy: 'Run `npm install nodemailer`, or remove the option.',
    },
    'mail-from-invalid': {
      meaning: 'The sender of email is not an address.',
      remedy: 'Use an address, or a name with an address: `Shop <shop@example.com>`.',
    },
    'environment-unknown': {
      meaning: 'There is no environment of this name.',
      remedy: 'Write production, staging, development or local.',
    },
    'database-invalid': {
      meaning: 'The option `database` or the variable `DATABASE_URL` does not begin with `sqlite:`, or has no path.',
      remedy: 'Write `sqlite:` and a path, or `sqlite::memory:`.',
    },
    'database-unsupported': {
      meaning:
        'The option `database` or the variable `DATABASE_URL` names a PostgreSQL or MySQL database, which this version does not support.',
      remedy: 'Use SQLite: `sqlite:data/site.sqlite`.',
    },
    'redis-unsupported': {
      meaning: '`REDIS_URL` is set in the environment. This version does not use Redis.',
      remedy: 'Unset `REDIS_URL`.',
    },
    'cors-invalid': {
      meaning: "`cors` is neither `'any'` nor a list of origins. An origin is a scheme and a host, without a path.",
      remedy: "Write `'any'`, or origins such as `https://shop.example`.",
    },
    'synchronous-invalid': {
      meaning: '`synchronous` is neither `FULL` nor `NORMAL`.',
      remedy: "Write `'FULL'` or `'NORMAL'`.",
    },
    'table-prefix-invalid': {
      meaning: '`table_prefix` contains other characters than letters, digits and underscores, or more than 40.',
      remedy: 'Write a prefix such as `wp_`.',
    },
    'default-capability-empty': {
      meaning: '`rest_default_capability` is an empty string.',
      remedy: 'Name a capability, or write `null` for any logged-in user.',
    },
    'unhandled-rejections-invalid': {
      meaning: '`unhandled_rejections` is neither `log` nor `exit`.',
      remedy: "Write `'log'` or `'exit'`.",
    },
    'time-zone-invalid': {
      meaning: '`site.timezone` is not a time zone. The name is unknown, or the offset is out of range.',
      remedy: 'Write a name such as `Europe/Berlin`, an offset such as `+02:00`, or `UTC`.',
    },
    'folder-invalid': {
      meaning: 'The option `handlers`, `views` or `public` is empty, or is a URL that does not begin with `file:`.',
      remedy: 'Write a path, or a URL that begins with `file:`.',
    },
    'database-public': {
      meaning: 'The database file is below the folder of the option `public`, where anybody could download it.',
      remedy: 'Keep the database in another folder.',
    },
    'trusted-proxy-invalid': {
      meaning: 'An entry of `trusted_proxies` is neither an IP address nor a CIDR range.',
      remedy: 'Write an IP address, or a range such as `10.0.0.0/8`.',
    },
    'provider-invalid': {
      meaning: 'An entry of `provide` is not a pair of a contract and its implementation.',
      remedy: 'Write a pair, such as `[Mailer, SmtpMailer]`.',
    },
    'provider-incomplete': {
      meaning:
        'The implementation of `ViewEngineInterface` or `RecordStore` in `provide` lacks methods of the contract.',
      remedy: 'Let the class extend the contract, and add the methods.',
    },
    'sanitizer-invalid': {
      meaning: 'A value in the option `sanitizers` is not a function.',
      remedy: 'Write a function that takes a value and returns the sanitised one.',
    },
    'sanitizer-name-reserved': {
      meaning:
        'A name in the option `sanitizers` is reserved for the rules of an argument, such as `rest_sanitize_request_arg`.',
      remedy: 'Choose another name.',
    },
  },
  'Record types and roles': {
    'record-type-reserved': {
      meaning: 'WordPress reserves the name of the record type, such as `revision` or `attachment`.',
      remedy: 'Choose another name.',
    },
    'record-type-name-invalid': {
      meaning: 'The name of a record type has more than 20 characters, or others than a-z, 0-9, _ and -.',
      remedy: 'Name the type with 1 to 20 characters of a-z, 0-9, _ and -.',
    },
    'record-type-invalid': {
      meaning: 'The declaration of a record type is not an object.',
      remedy: 'Write an object; `{}` is a type with all defaults.',
    },
    'record-type-option-unknown': {
      meaning: 'There is no option of this name for a record type.',
      remedy: 'Correct the name, or remove the option.',
    },
    'record-type-built-in': {
      meaning: 'The declaration of `post` or `page` has another option than `meta`.',
      remedy: 'Remove the option.',
    },
    'record-type-option-invalid': {
      meaning: 'An option of a record type has an invalid value.',
      remedy: 'Write a value as the message describes it.',
    },
    'meta-invalid': {
      meaning: 'A metadata key is empty or longer than 255 characters, or its `type` does not exist.',
      remedy: 'Correct the key or its type.',
    },
    'meta-default-invalid': {
      meaning: 'The `default` of a metadata key is not of the declared type, or contains a value without a JSON form.',
      remedy: 'Write a default of the declared type.',
    },
    'role-invalid': {
      meaning:
        'The declaration of a role is not an object, its label is empty, or its capabilities are not a list of names.',
      remedy: "Write `{ label: 'Librarian', capabilities: ['edit_books'] }`.",
    },
    'role-name-invalid': {
      meaning: 'The name of a role has more than 60 characters, or others than a-z, 0-9, _ and -.',
      remedy: 'Name the role with 1 to 60 characters of a-z, 0-9, _ and -.',
    },
    'role-option-unknown': {
      meaning: 'The declaration of a role has another key than `label` and `capabilities`.',
      remedy: 'Correct the key, or remove it.',
    },
  },
} satisfies Record<string, Record<string, ErrorEntry>>

type Sections = typeof startupErrors

/** The code of a {@link Diagnostic}. */
export type DiagnosticCode = { [Section in keyof Sections]: keyof Sections[Section] }[keyof Sections]
