import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOf, read, warningsOf } from '../../test/support/wordpress/read-config.js'
import { ConfigScope } from './config-scope.js'
import { readScript } from './config-script.js'
import { run } from './config-values.js'

describe('code that may define an optional constant and is not read is named with its line and the variables to set', () => {
  const table: [what: string, code: string, warning: RegExp][] = [
    [
      'a file of a computed path',
      `$table_prefix = 'wp_';\nrequire $_SERVER['DOCUMENT_ROOT'].'/../site.php';`,
      /^4: .*includes a file whose name cannot be read.*WORDPRESS_DISALLOW_UNFILTERED_HTML.*WORDPRESS_MULTISITE/,
    ],
    [
      'a loop over names',
      `foreach(['MULTISITE'=>true] as $k=>$v) define($k,$v);`,
      /^3: .*may define MULTISITE, and any other constant\..*WORDPRESS_MULTISITE/,
    ],
    ['a loop over names that are not seen', `foreach ($all as $k => $v) { define($k, $v); }`, /WORDPRESS_MULTISITE/],
    [
      'a function',
      `\nfunction c(){define('DISALLOW_UNFILTERED_HTML',true);} c();`,
      /^4: .*in a function.*may define DISALLOW_UNFILTERED_HTML\..*WORDPRESS_DISALLOW_UNFILTERED_HTML/,
    ],
    ['a method', `class A { static function b() { \\define('MULTISITE', true); } }`, /^3: .*MULTISITE/],
    ['a closure', `(function () { define('MULTISITE', true); })();`, /^3: .*in a function.*MULTISITE/],
    ['an arrow function', `(fn () => define('MULTISITE', true))();`, /^3: .*in a function.*MULTISITE/],
    ['a closure that is an argument', `array_map(fn ($k) => define($k, true), ['MULTISITE']);`, /WORDPRESS_MULTISITE/],
    [
      'a file that a called function includes',
      `\nfunction site() {\n  require_once $_SERVER['SITE'];\n}\nSite();`,
      /^5: .*includes a file in a function, which is not executed.*WORDPRESS_MULTISITE/,
    ],
    [
      'a file that is included by a function before its declaration',
      `site(); function site() { include 'a.php'; }`,
      /^3: .*in a function/,
    ],
    [
      'a file that is included by a function which a called function calls',
      `site();\nfunction site() { site(); return load(); }\nfunction load() { \\parts(); }\nfunction parts() { require $_SERVER['SITE']; }`,
      /^6: .*in a function/,
    ],
    ['a file that an arrow function includes at once', `(fn () => require $_SERVER['SITE'])();`, /^3: .*in a function/],
    ['a file that a closure includes at once', `(function () { require $_SERVER['SITE']; })();`, /^3: .*in a function/],
    ['a call in echo', `function site() {\n  require $_SERVER['SITE'];\n}\necho 'a', site();`, /^4: .*in a function/],
    [
      'a call in an argument',
      `function site() {\n require $_SERVER['SITE']; }\ntrim(strtolower(site()));`,
      /^4: .*in a function/,
    ],
    [
      'a call in a list',
      `function site() {\n require $_SERVER['SITE']; }\n$a = ['a' => site()];`,
      /^4: .*in a function/,
    ],
    [
      'a call in an argument of a new object',
      `function site() { require $_SERVER['SITE']; }\nnew A(site());`,
      /^3: .*function/,
    ],
    [
      'a call in match',
      `function site() { require $_SERVER['SITE']; } match (true) { default => site() };`,
      /^3: .*function/,
    ],
    ['a call in a loop', `function site() { require $_SERVER['SITE']; } while (site()) {}`, /^3: .*function/],
    ['a call in isset', `function site() { require $_SERVER['SITE']; } isset($a[site()]);`, /^3: .*function/],
    ['a call with the namespace', `function site() { require $_SERVER['SITE']; }\n\\App\\site();`, /^3: .*function/],
    ['an include in an argument', `\ntrim(require $_SERVER['SITE']);`, /^4: .*includes a file in code/],
    [
      'a call by the text in a variable',
      `function site() { require $_SERVER['SITE']; }\n$f = 'site';\n$f();`,
      /^3: .*function/,
    ],
    ['a call of a closure in a variable', `$f = function () { require $_SERVER['SITE']; };\n$f();`, /^3: .*function/],
    ['a call of an arrow function in a variable', `$f = fn () => require $_SERVER['SITE'];\n$f();`, /^3: .*function/],
    [
      'a call of a variable that is not known',
      `\n$f = $_GET['f'];\n$f('MULTISITE', true);`,
      /^5: calls|^5: .*whose name cannot be read/,
    ],
    [
      'a call of a variable in a function',
      `function site($f) {\n  $f();\n}\nsite('x');`,
      /^4: .*whose name cannot be read/,
    ],
    [
      'define by its name in a variable',
      `$f = 'define';\n$f('MULTISITE', true);`,
      /^4: .*calls define by its name.*may define MULTISITE\./,
    ],
    [
      'define by its name in an argument',
      `\ncall_user_func('define', 'MULTISITE', true);`,
      /^4: .*calls define by its name/,
    ],
    [
      'a function that another one calls',
      `function site() {\n require $_SERVER['SITE']; }\ncall_user_func('site');`,
      /^4: .*function/,
    ],
    [
      'a closure that another function calls',
      `call_user_func(function () {\n require $_SERVER['SITE']; });`,
      /^4: .*includes a file/,
    ],
    [
      'a variable that another function calls',
      `\ncall_user_func_array($_GET['f'], $a);\ncall_user_func($f);`,
      /^4: .*whose name cannot be read/,
    ],
    [
      'a closure in a variable that another function calls',
      `$f = function () { require $_SERVER['SITE']; };\n\narray_walk($a, $f);`,
      /^3: .*includes a file/,
    ],
    [
      'the name in a variable that another function calls',
      `function site() { require $_SERVER['SITE']; }\n$f = 'site';\narray_filter([1], $f);`,
      /^3: .*includes a file/,
    ],
    [
      'one that another function calls which is itself in a variable',
      `function site() { require $_SERVER['SITE']; }\n$f = 'call_user_func'; $f('site');`,
      /^3: .*includes a file/,
    ],
    ['a name in a request', `\narray_filter([1], $_GET['f']);`, /^4: .*whose name cannot be read/],
    ['the last argument', `\narray_udiff($a, $b, $c, $f);`, /^4: .*whose name cannot be read/],
    ['an expression', `\nusort($a, $f ?? 'site');`, /^4: .*whose name cannot be read/],
    ['in a function', `function site($f) {\nuasort($a, $f); }\nsite('x');`, /^4: .*whose name cannot be read/],
    ...[
      `forward_static_call($f);`,
      `trim(forward_static_call_array($f, []));`,
      `uasort($a, 'site');`,
      `uksort($a, $f);`,
      `array_walk_recursive($a, $f);`,
      `array_map(null, [1], [$f]);`,
      `preg_replace_callback_array(['/a/' => $f], 'a');`,
      `array_find($a, $f);`,
      `array_udiff([1], [2], $f);`,
      `array_uintersect_uassoc([1], [2], $f, 'strcmp');`,
      `filter_var('a', FILTER_CALLBACK, ['options' => $f]);`,
      `unset($a[site()]);`,
      `$x or exit(site());`,
      `$x || die(site());`,
    ].map((code): [string, string, RegExp] => [
      code,
      `$f = 'site'; function site() { require $_SERVER['SITE']; }\n${code}`,
      /^3: .*includes a file in a function/,
    ]),
    [
      'define by its name, within calls of others',
      `\ncall_user_func('trim', 'WP_HOME', call_user_func('define', $k, 1));`,
      /^4: .*may define WP_HOME, and any other constant\./,
    ],
    [
      'a method of a class of the file',
      `class Site { static function load() {\n require $_SERVER['SITE']; } }\nSite::load();`,
      /^4: .*function/,
    ],
    [
      'the constructor of one',
      `final class Site { function __construct() {\n require $_SERVER['SITE']; } }\nnew Site;`,
      /^4: .*function/,
    ],
    [
      'a method that another function calls',
      `class Site { static function load() {\n require $_SERVER['SITE']; } }\ncall_user_func(['Site', 'load']);`,
      /^4: .*function/,
    ],
    [
      'the constructor of a class without a name',
      `new class { function __construct() { require $_SERVER['SITE']; } };`,
      /^3: .*function/,
    ],
    ['a catch', `try { site(); } catch (Error $e) { require $_SERVER['SITE']; }`, /^3: .*includes a file/],
    [
      'a function that calls itself by its name',
      `function site() { call_user_func('site');\n require $_SERVER['SITE']; } site();`,
      /^4: .*function/,
    ],
    ['a function with a computed name', `function c($k, $v) { define($k, $v); }`, /^3: .*WORDPRESS_MULTISITE/],
    [
      'the class of Bedrock',
      `use Roots\\WPConfig\\Config;\nConfig::define('MULTISITE',true);\nConfig::define('WP_HOME', env('WP_HOME'));`,
      /^4: .*Config::define.*may define MULTISITE, WP_HOME\..*WORDPRESS_MULTISITE, WORDPRESS_WP_HOME/,
    ],
  ]
  for (const [what, code, warning] of table)
    test(what, () => {
      const [first = 'no warning', ...more] = warningsOf(code)
      assert.match(first, warning)
      assert.deepEqual(more, [])
    })

  test('not where the environment or the file itself has set the constant', () => {
    const code = `function c(){define('MULTISITE',true);} c();`
    assert.deepEqual(warningsOf(code, { WORDPRESS_MULTISITE: 'false' }), [])
    assert.deepEqual(warningsOf(`define('MULTISITE', false); ${code}`), [])
    assert.equal(warningsOf(code, { WORDPRESS_WP_HOME: 'https://shop.example' }).length, 1)
  })

  test('functions that call each other in a long chain are read', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => `function a${index}() { a${index + 1}(); }`).join('')
    const [warning] = warningsOf(`a0(); ${chain} function a20000() { require $_SERVER['SITE']; }`)
    assert.match(warning ?? '', /^3: .*in a function/)
  })

  test('calls are followed up to a number, and the whole file is refused beyond', () => {
    const chain = Array.from({ length: 2000 }, (_, index) => `function a${index}() { a${index + 1}(); }`).join('')
    const [fault] = faultsOf(`${chain} ${'a0();'.repeat(2000)}`)
    assert.match(fault?.message ?? '', /more than 1000000 calls of functions/)
    const nested = (call: string) => call.repeat(50_000) + ')'.repeat(50_000)
    assert.equal(read(`trim(${nested('call_user_func(')});`).prefix, 'wp_')
    assert.match(warningsOf(`trim(${nested('$f(')});`)[0] ?? '', /^3: .*whose name cannot be read/)
  })

  test('the arguments of nested calls are looked at once', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `'A${index}'`)
    const nested = names(4000).map((name) => `call_user_func('define',${name},`)
    const variables = names(4000).map((name) => `$f(${name},`)
    for (const code of [
      `${nested.join('')}1${')'.repeat(4000)};`,
      `trim(${variables.join('')}1${')'.repeat(4000)});`,
      `array_map('x',['define',${names(4000).join(',')},${"'define',".repeat(4000)}]);`,
    ]) {
      const scope = new ConfigScope({}, readScript)
      scope.execute(`<?php $f = 'define'; ${code}`, 'wp-config.php', run)
      assert.deepEqual(
        scope.unreadParts.map(({ names, mayDefineOthers }) => [names.length, mayDefineOthers]),
        [[4000, false]],
      )
    }
  })

  test('not for other constants, nor for code that is not executed', () => {
    for (const code of [
      `function c(){define('WP_DEBUG',true);} c();`,
      `Config::define('WP_DEBUG', true); Config::apply();`,
      `if (false) { require $_SERVER['A']; Config::define('MULTISITE', true); (fn () => define('MULTISITE', true))(); }`,
      `if (false) { function c() { define('MULTISITE', true); } }`,
      `class B { const MULTISITE = 1; function define($a) { return $this->define('MULTISITE'); } }`,
      `require_once ABSPATH . 'wp-settings.php'; function c(){define('MULTISITE',true);}`,
    ])
      assert.deepEqual(warningsOf(code), [], code)
  })

  test('ordinary configurations have no warning', () => {
    const sample = `$table_prefix = 'wp_';\ndefine( 'WP_DEBUG', false );
      if ( ! defined( 'ABSPATH' ) ) { define( 'ABSPATH', __DIR__ . '/' ); }
      require_once ABSPATH . 'wp-settings.php';`
    assert.deepEqual(warningsOf(sample), [])
    const docker = `if (!function_exists('getenv_docker')) {
        function getenv_docker($env, $default) {
          if ($fileEnv = getenv($env . '_FILE')) { return rtrim(file_get_contents($fileEnv), "\\r\\n"); }
          else if (($val = getenv($env)) !== false) { return $val; }
          else { return $default; }
        }
      }
      define( 'DB_CHARSET', getenv_docker('WORDPRESS_DB_CHARSET', 'utf8mb4') );
      $table_prefix = getenv_docker('WORDPRESS_TABLE_PREFIX', 'wp_');
      define( 'WP_DEBUG', !!getenv_docker('WORDPRESS_DEBUG', '') );
      if (isset($_SERVER['HTTP_X_FORWARDED_PROTO']) && strpos($_SERVER['HTTP_X_FORWARDED_PROTO'], 'https') !== false) {
        $_SERVER['HTTPS'] = 'on';
      }
      if ($configExtra = getenv_docker('WORDPRESS_CONFIG_EXTRA', '')) { eval($configExtra); }
      ${sample}`
    assert.deepEqual(warningsOf(docker), [])
    assert.deepEqual(warningsOf(docker, { WORDPRESS_CONFIG_EXTRA: `define('MULTISITE', false);` }), [])
    const others = {
      'vendor/autoload.php': `<?php\nrequire_once __DIR__ . '/real.php';\nreturn Real::getLoader();`,
      'vendor/real.php': `<?php\nclass Real { static function getLoader() { require __DIR__ . $a; $b = \\Closure::bind(static function ($f) { require $f; }, null); } }`,
    }
    assert.deepEqual(warningsOf(`require __DIR__ . '/vendor/autoload.php';`, {}, others), [])
  })
})

test('a variable that is not set is reported also where its value is converted, joined or hashed', () => {
  const table: [name: string, code: string][] = [
    ['DB_CHARSET', `define('DB_CHARSET', (string) getenv('X'));`],
    ['COOKIE_DOMAIN', `define('COOKIE_DOMAIN', '.' . getenv('X'));`],
    ['COOKIE_DOMAIN', `$a = '.'; $a .= getenv('X'); define('COOKIE_DOMAIN', $a . '/');`],
    ['EMPTY_TRASH_DAYS', `define('EMPTY_TRASH_DAYS', (int) getenv('X'));`],
    ['EMPTY_TRASH_DAYS', `define('EMPTY_TRASH_DAYS', (int) getenv('X') * 2);`],
    ['MULTISITE', `define('MULTISITE', (bool) getenv('X'));`],
    ['COOKIEHASH', `define('COOKIEHASH', md5(getenv('X')));`],
    ['DB_CHARSET', `define('DB_CHARSET', (string) env('X'));`],
  ]
  for (const [name, code] of table) {
    const [fault, ...more] = faultsOf(`\n${code}`)
    assert.deepEqual([fault?.name, fault?.line, more], [name, 4, []], code)
    assert.match(fault?.message ?? '', /the variable X is not set in this process\. Set X or/, code)
    assert.deepEqual(faultsOf(code, { X: name === 'DB_CHARSET' ? 'utf8' : '1' }), [], code)
  }
  assert.equal(read(`define('EMPTY_TRASH_DAYS', (int) getenv('X') ?: 7);`).emptyTrashDays, 7)
  assert.equal(read(`define('COOKIE_DOMAIN', '.' . (getenv('X') ?: 'a'));`).cookies.domain, '.a')
  assert.equal(read(`if ((bool) getenv('X')) define('MULTISITE', true);`).isMultisite, false)
  for (const code of [
    `@include getenv('X') . '/site.php';`,
    `if (file_exists(getenv('X') . '/site.php')) require getenv('X') . '/site.php';`,
    `eval((string) getenv('X'));`,
  ])
    assert.match(warningsOf(code)[0] ?? 'no warning', /cannot be read: the variable X is not set/, code)
  assert.equal(read(`define('AS_REST_ROUTE_URL', 'http://' . getenv('X'));`).serviceUrls, null)
})
