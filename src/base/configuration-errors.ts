import type { ErrorEntry } from './error-entry.js'

/** Faults of the modules, classes and options of an application. */
export const configurationErrors = {
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
        'A module cannot be loaded: it has a syntax error, throws an error, imports a module that does not exist, ends the process, or is not loaded after a minute.',
      remedy: 'Correct the module at the line of the diagnostic.',
    },
    'module-commonjs': {
      meaning: 'Node treats the module as CommonJS, because the nearest `package.json` lacks `"type": "module"`.',
      remedy: 'Set `"type": "module"` in `package.json`.',
    },
    'boot-in-handlers-folder': {
      meaning:
        'A module in the folder of the handlers calls `boot` or `startTestService`. Each module there is loaded to find the handlers, and must start nothing.',
      remedy: 'Move the module out of the folder, or start the service in a function that it exports.',
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
    'service-start-failed': {
      meaning: 'The method `start` of a class that the service has built throws an error, or its promise is rejected.',
      remedy: 'Read the message and the `cause` of the error. What the class needs may be unreachable.',
    },
    'service-not-started': {
      meaning:
        'A class with a method `start` is injected for the first time while the service runs, when nothing can wait for it.',
      remedy: 'Name the class in the option `services`, or inject it in the constructor of a handler class.',
    },
  },
  Options: {
    'configuration-not-exported': {
      meaning: 'The default export of `as-rest-route.config.ts` is missing or not an object.',
      remedy: 'Write `export default defineConfig({ ... })`.',
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
      meaning: 'The option `database` or the variable `DATABASE_URL` is not the address of a database.',
      remedy:
        'Write `sqlite:` and a path, `sqlite::memory:`, `postgres://user@host/database` or `mariadb://user@host/database`.',
    },
    'wordpress-config-invalid': {
      meaning: 'The wp-config.php of the option `wordpress` cannot be read, or has a construct that is not understood.',
      remedy: 'Correct the path, or set the variable of the environment that the message names.',
    },
    'wordpress-multisite': {
      meaning: 'The WordPress site of the option `wordpress` is a network. Networks are not supported.',
      remedy: 'Use a single site.',
    },
    'wordpress-charset': {
      meaning: 'The WordPress site of the option `wordpress` uses another charset than UTF-8 for its database.',
      remedy:
        'Copy it into a database in `utf8mb4` as [Serving on its database](wordpress.md#serving-on-its-database) says, and define `DB_CHARSET` as `utf8mb4`.',
    },
    'wordpress-conflict': {
      meaning: 'The option `wordpress` stands beside an option whose value is that of the WordPress site.',
      remedy: 'Remove the other option.',
    },
    'redis-url-invalid': {
      meaning: 'The option `redis_url` or the variable `REDIS_URL` is not the URL of a server.',
      remedy: 'Write `redis://user:password@host:6379/0`, or `rediss://` for TLS.',
    },
    'redis-package-missing': {
      meaning: 'The option `redis_url` or `REDIS_URL` is set, and the package that speaks to Redis is not installed.',
      remedy: 'Run `npm install ioredis`, or remove the option.',
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
      meaning:
        'The database file is below the folder of the option `public` or `uploads`, where others could download it.',
      remedy: 'Keep the database in another folder.',
    },
    'uploads-public': {
      meaning:
        'The folders of `uploads` and `public` are the same, or one is below the other: everybody could read uploads.',
      remedy: 'Keep uploads in a folder of their own, such as `data/uploads`.',
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
    'job-invalid': {
      meaning: 'An entry of the option `jobs` is not a job, or its name, its function or one of its numbers is wrong.',
      remedy: "Write `job({ name: 'send-ticket', run: async (payload) => { … } })`, and list what it returns.",
    },
    'job-name-taken': {
      meaning: 'Two entries of the option `jobs` have the same name.',
      remedy: 'Name each job differently.',
    },
    'jobs-beside-wordpress': {
      meaning:
        'The option `jobs` lists jobs, and the option `wordpress` names a site. Jobs are kept in a table of their own, which the database of a site does not get.',
      remedy: 'Leave `jobs` out, or use a database of your own.',
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
      meaning: 'The declaration of `post` or `page` has another option than `statuses` and `meta`.',
      remedy: 'Remove the option.',
    },
    'record-type-option-invalid': {
      meaning: 'An option of a record type has an invalid value.',
      remedy: 'Write a value as the message describes it.',
    },
    'meta-invalid': {
      meaning:
        'A metadata key is empty or longer than 255 characters, its `type` does not exist, or one of its rules is wrong.',
      remedy: 'Correct the key or its rules.',
    },
    'meta-default-invalid': {
      meaning:
        'The `default` of a metadata key is not of the declared type, breaks its own rules, or contains a value without a JSON form.',
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
