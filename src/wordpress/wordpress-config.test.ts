import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { skipWithoutPhp } from '../../test/support/wordpress/wordpress-programs.js'
import { addressOfDatabase, readWordPressConfig, WordPressConfigError, type Environment } from './wordpress-config.js'

const folder = mkdtempSync(join(tmpdir(), 'wordpress-config-'))
after(() => rmSync(folder, { recursive: true }))
let count = 0

/** A wp-config.php with these lines behind `<?php`, in a folder of its own with these other files. */
function configFile(code: string, others: Readonly<Record<string, string>> = {}): string {
  const own = join(folder, String((count += 1)))
  mkdirSync(own)
  for (const [name, text] of Object.entries(others)) writeFileSync(join(own, name), text)
  writeFileSync(join(own, 'wp-config.php'), `<?php\n${code}`)
  return join(own, 'wp-config.php')
}

const database = "define('DB_NAME', 'shop'); define('DB_USER', 'wp'); define('DB_PASSWORD', 'secret');"
const read = (code: string, environment: Environment = {}, others: Readonly<Record<string, string>> = {}) =>
  readWordPressConfig(configFile(code, others), environment)

/** The password, from code that defines it after the name and the user. */
const passwordOf = (code: string, environment: Environment = {}, others: Readonly<Record<string, string>> = {}) =>
  read(`define('DB_NAME', 'shop'); define('DB_USER', 'wp');\n${code}`, environment, others).database.password

function faultsOf(code: string, environment: Environment = {}, others: Readonly<Record<string, string>> = {}) {
  try {
    read(code, environment, others)
  } catch (error) {
    if (error instanceof WordPressConfigError)
      return error.faults.map(({ name, place, message }) => ({ name, line: place?.line ?? null, message }))
    throw error
  }
  return []
}

describe('a constant is read', () => {
  const table: [what: string, code: string, password: string, environment?: Environment][] = [
    ['of a text', `define( 'DB_PASSWORD', 'a b' );`, 'a b'],
    ['with escapes in single quotes', String.raw`define('DB_PASSWORD', 'a\'b\\c\n"$x');`, String.raw`a'b\c\n"$x`],
    [
      'with escapes in double quotes',
      String.raw`define("DB_PASSWORD", "\x41\101\u{e4}\t\$x\"\q\'");`,
      'AAä\t$x"\\q\\\'',
    ],
    ['of two bytes that are one character', String.raw`define('DB_PASSWORD', "\xc3\xa4");`, 'ä'],
    ['of concatenated texts', `define('DB_PASSWORD', 'a' . "b" . 1 . true . null . 2.5);`, 'ab112.5'],
    [
      'behind comments',
      `/* define('DB_PASSWORD', 'x'); */ # ' "\n// ?>x<?php\ndefine(/**/'DB_PASSWORD', 'y'); // '`,
      'y',
    ],
    ['with const', `const A = 1, DB_PASSWORD = 'y';`, 'y'],
    ['in capitals', `DEFINE('DB_PASSWORD', 'y');`, 'y'],
    ['in the global namespace', `\\define('DB_PASSWORD', \\getenv('SECRET'));`, 'x', { SECRET: 'x' }],
    ['the first time only', `define('DB_PASSWORD', 'y'); define('DB_PASSWORD', 'z');`, 'y'],
    ['of a variable', `$password = 'y'; $password .= 'z'; define('DB_PASSWORD', $password);`, 'yz'],
    ['of another constant', `define('A', 'y'); define('DB_PASSWORD', A . constant('A'));`, 'yy'],
    ['of a nowdoc', `define('DB_PASSWORD', <<<'X'\n  a\\n$b\n  c\n  X);`, 'a\\n$b\nc'],
    ['of a heredoc', 'define("DB_PASSWORD", <<<X\na\\x41"\nX\n);', 'aA"'],
    ['of getenv', `define('DB_PASSWORD', getenv('SECRET'));`, 'x', { SECRET: 'x' }],
    ['of getenv with a default', `define('DB_PASSWORD', getenv('SECRET') ?: 'y');`, 'y'],
    ['of $_ENV', `define('DB_PASSWORD', $_ENV['SECRET'] ?? 'y');`, 'x', { SECRET: 'x' }],
    ['of getenv_docker', `define('DB_PASSWORD', getenv_docker('SECRET', 'y'));`, 'x', { SECRET: 'x' }],
    ['of the default of getenv_docker', `define('DB_PASSWORD', getenv_docker('SECRET', 'y'));`, 'y'],
    [
      'of getenv_docker with an empty name of a file',
      `define('DB_PASSWORD', getenv_docker('SECRET', 'y'));`,
      'x',
      { SECRET: 'x', SECRET_FILE: '' },
    ],
    // The function of oscarotero/env converts words, numbers and quoted texts.
    ['of env', `define('DB_PASSWORD', env('SECRET') ?: 'y');`, 'a b', { SECRET: '"a b"' }],
    ['of env with digits', `define('DB_PASSWORD', env('SECRET'));`, '123', { SECRET: '0123' }],
    [
      'of env with a word',
      `if (env('A')) define('DB_PASSWORD', 'x'); else define('DB_PASSWORD', 'y');`,
      'y',
      { A: 'False' },
    ],
    ['of env without a variable', `define('DB_PASSWORD', env('SECRET') === null ? 'x' : 'y');`, 'x'],
    ['behind a guard', `defined('DB_PASSWORD') || define('DB_PASSWORD', 'y');`, 'y'],
    ['behind a guard in words', `defined('DB_PASSWORD') or define('DB_PASSWORD', 'y');`, 'y'],
    [
      'behind a guard that is closed',
      `define('DB_PASSWORD', 'y'); defined('DB_PASSWORD') || define('DB_PASSWORD', 'z');`,
      'y',
    ],
    ['in an if', `if (!defined('DB_PASSWORD')) define('DB_PASSWORD', 'y');`, 'y'],
    [
      'in an if with a block',
      `if ( ! defined( 'DB_PASSWORD' ) ) { define( 'DB_PASSWORD', 'y' ); } else { define('DB_PASSWORD', 'z'); }`,
      'y',
    ],
    [
      'in an else',
      `if (false): define('DB_PASSWORD', 'y'); elseif ('0'): else: define('DB_PASSWORD', 'z'); endif;`,
      'z',
    ],
    [
      'in an else if',
      `if (0) { define('DB_PASSWORD', 'y'); } else if (getenv('A') === '1') define('DB_PASSWORD', 'z'); else define('DB_PASSWORD', 'w');`,
      'z',
      { A: '1' },
    ],
    ['chosen by ?:', `define('DB_PASSWORD', getenv('A') == 'prod' ? 'y' : 'z');`, 'z', { A: 'test' }],
    [
      'behind a function',
      `function a() { define('DB_PASSWORD', 'x'); return "}"; }\nclass B { const DB_PASSWORD = 'x'; }\ndefine('DB_PASSWORD', 'y');`,
      'y',
    ],
    [
      'behind what is not understood',
      `$_SERVER['HTTPS'] = 'on'; list($a) = [1]; $f = function () use (&$a): ?string { return '}'; }; ini_set('a', 1 + ); #[A(1)]\n$x->y['z']()->w = 1;\ndefine('DB_PASSWORD', 'y');`,
      'y',
    ],
    [
      'behind a switch',
      `switch ($_SERVER['A']) { case 1: $a = 1; break; default: $a = 2; }\nforeach ($a as $b) { c(); }\ndefine('DB_PASSWORD', 'y');`,
      'y',
    ],
    [
      'of evaluated code',
      `if ($extra = getenv_docker('EXTRA', '')) { eval($extra); }`,
      'y',
      { EXTRA: "define('DB_PASSWORD', 'y');" },
    ],
    [
      'not behind wp-settings.php',
      `define('DB_PASSWORD', 'y'); require_once ABSPATH . 'wp-settings.php'; $a = 'no end`.replace('no end', "x';"),
      'y',
    ],
    ['in upper and lower case', `if (TRUE AND !FALSE) Define('DB_PASSWORD', 'y');`, 'y'],
    ['with text around', `?> define('DB_PASSWORD', 'x'); <?php define('DB_PASSWORD', 'y') ?> '`, 'y'],
    ['of empty()', `if (!empty(getenv('A'))) define('DB_PASSWORD', 'x'); define('DB_PASSWORD', 'y');`, 'y'],
  ]
  for (const [what, code, password, environment] of table)
    test(what, () => assert.equal(passwordOf(code, environment), password))
})

test('PHP itself reads the same password', { skip: skipWithoutPhp() }, () => {
  for (const code of [
    String.raw`define("DB_PASSWORD", "\x41\101\u{e4}\t\$x\"\q\'\8");`,
    String.raw`define('DB_PASSWORD', 'a\'b\\c\n"$x');`,
    `define('DB_PASSWORD', <<<'X'\n  a\\n$b\n  c\n  X);`,
    'define("DB_PASSWORD", <<<X\n a\\x41\\"\n\n  b\n X\n);',
    `define('DB_PASSWORD', 010 . 0x1F . 1_000 . -2 . 1.5 . .5);`,
    `define('DB_PASSWORD', 1 + 2 . 3 * 4 . (2 - 5));`,
    `define('DB_PASSWORD', null ?? false ?: 'a' . 'b');`,
    `define('DB_PASSWORD', !true . 'x' . (true ? 'y' : 'z') . ('a' == 'b'));`,
    `define('DB_PASSWORD', dirname('/a/b/c', 2) . dirname('/x'));`,
  ]) {
    const file = configFile(`define('DB_NAME', 'shop'); define('DB_USER', 'wp');\n${code}`)
    const said = execFileSync('php', ['-r', `require $argv[1]; echo DB_PASSWORD;`, file], { encoding: 'utf8' })
    assert.equal(readWordPressConfig(file, {}).database.password, said, code)
  }
})

test('a file that is included by a literal path is read as well', () => {
  const others = { 'local.php': `<?php\nreturn define('DB_PASSWORD', 'y');\ndefine('DB_PASSWORD', 'z');`, 'a.txt': '' }
  for (const code of [
    `require 'local.php';`,
    `require_once(__DIR__ . '/local.php');`,
    `include dirname(__FILE__) . '/local.php';`,
    `if (file_exists(dirname(__FILE__).'/local.php')) { include(dirname(__FILE__).'/local.php'); }`,
    `if (file_exists('none.php')) require 'none.php'; else require 'local.php';`,
    `@include 'none.php'; require_once 'local.php'; require_once 'local.php';`,
  ])
    assert.equal(passwordOf(code, {}, others), 'y', code)
})

test('a link is followed before __DIR__ is taken', () => {
  const file = configFile(`${database} define('WP_CONTENT_DIR', __DIR__ . '/content');`)
  const link = join(folder, 'linked.php')
  symlinkSync(file, link)
  assert.equal(readWordPressConfig(link, {}).contentFolder, join(file, '../content'))
})

/** Where Debian's WordPress has its contents, unless its configuration says otherwise. */
const ofDebian = '/var/lib/wordpress/wp-content'
const isDebian = process.getuid?.() === 0 && existsSync('/etc/wordpress') && existsSync(ofDebian)

test(
  "the contents are where Debian's own file puts them",
  { skip: !isDebian && 'this needs root and WordPress' },
  () => {
    const file = `/etc/wordpress/config-test-${process.pid}.php`
    try {
      writeFileSync(file, `<?php ${database}`)
      assert.equal(readWordPressConfig(file, {}).contentFolder, ofDebian)
      writeFileSync(file, `<?php ${database} define('WP_CONTENT_DIR', '/srv/contents');`)
      assert.equal(readWordPressConfig(file, {}).contentFolder, '/srv/contents')
    } finally {
      rmSync(file, { force: true })
    }
  },
)

describe('what cannot be read is named with its line and the variable to set', () => {
  const table: [what: string, code: string, line: number | null, reason: RegExp][] = [
    ['a function', `\ndefine('DB_PASSWORD', file_get_contents('/run/secret'));`, 3, /calls file_get_contents\(\)/],
    ['a variable in a text', `define('DB_PASSWORD', "a$b");`, 2, /contains a variable/],
    [
      'an unset variable',
      `define('DB_PASSWORD', getenv('SECRET'));`,
      2,
      /SECRET is not set in this process\. Set SECRET or/,
    ],
    ['the request', `define('DB_PASSWORD', $_SERVER['SECRET']);`, 2, /uses a part of \$_SERVER/],
    [
      'a condition',
      `if ($_SERVER['HTTP_HOST'] === 'a') define('DB_PASSWORD', 'x');\nelse define('DB_PASSWORD', 'y');`,
      2,
      /condition that cannot be read/,
    ],
    ['a loop', `foreach ($all as $one) { define('DB_PASSWORD', 'x'); }`, 2, /foreach/],
    ['nothing', ``, null, /no file defines it/],
    ['a command', 'define("DB_PASSWORD", `cat secret`);', 2, /a command/],
    ['a list', `define('DB_PASSWORD', ['x']);`, 2, /a list/],
    ['bytes that are no text', String.raw`define('DB_PASSWORD', "\xff");`, 2, /not valid UTF-8/],
  ]
  for (const [what, code, line, reason] of table)
    test(what, () => {
      const [fault, ...more] = faultsOf(`define('DB_NAME', 'shop'); define('DB_USER', 'wp');${code}`)
      assert.deepEqual(more, [])
      assert.equal(fault?.name, 'DB_PASSWORD')
      assert.equal(fault?.line, line)
      assert.match(fault?.message ?? '', reason)
      if (what !== 'bytes that are no text')
        assert.match(fault?.message ?? '', /WORDPRESS_DB_PASSWORD in the environment/)
    })

  test('a file that is chosen by the request, as in Debian', () => {
    const code = `$file = '/etc/config-' . $_SERVER['HTTP_HOST'] . '.php';
      if (file_exists($file)) { require_once($file); } else { exit(1); }
      if (!defined('DB_NAME')) define('DB_NAME', 'wordpress');
      if (!isset($table_prefix)) $table_prefix = 'wp_';`
    const faults = faultsOf(code)
    assert.equal(faults.length, 1)
    assert.equal(faults[0]?.line, 3)
    assert.match(faults[0]?.message ?? '', /Pass the file.*WORDPRESS_DB_NAME, WORDPRESS_DB_USER, WORDPRESS_DB_PASSWORD/)
    const environment = {
      WORDPRESS_DB_NAME: 'a',
      WORDPRESS_DB_USER: 'b',
      WORDPRESS_DB_PASSWORD: 'c',
      WORDPRESS_TABLE_PREFIX: 'd_',
    }
    assert.equal(read(code, environment).database.name, 'a')
  })

  test('the message of a fault does not contain the value', () => {
    const faults = faultsOf(
      String.raw`define('DB_NAME', 'shop'); define('DB_USER', 'wp'); define('DB_PASSWORD', 'hidden' . $_ENV);`,
    )
    assert.doesNotMatch(JSON.stringify(faults), /hidden/)
  })
})

test('a variable of the environment takes the place of a constant, as text or as a file', () => {
  const file = join(folder, 'secret.txt')
  writeFileSync(file, 'from a file\n')
  const { database: of, sources } = read(database, { WORDPRESS_DB_NAME: 'other', WORDPRESS_DB_PASSWORD_FILE: file })
  assert.deepEqual([of.name, of.user, of.password], ['other', 'wp', 'from a file'])
  assert.equal(sources.get('DB_NAME'), 'WORDPRESS_DB_NAME')
  assert.match(sources.get('DB_USER') ?? '', /wp-config\.php:2$/)
})

test('DB_HOST has the forms of WordPress', () => {
  const table: [host: string, address: string][] = [
    ['db.example', 'mariadb://wp:secret@db.example:3306/shop'],
    ['db.example:3307', 'mariadb://wp:secret@db.example:3307/shop'],
    ['127.0.0.1', 'mariadb://wp:secret@127.0.0.1:3306/shop'],
    ['[::1]:3307', 'mariadb://wp:secret@[::1]:3307/shop'],
    ['[2001:db8::1]', 'mariadb://wp:secret@[2001:db8::1]:3306/shop'],
    ['::1', 'mariadb://wp:secret@[::1]:3306/shop'],
    ['localhost:/run/my sql.sock', 'mariadb://wp:secret@localhost/shop?socket=%2Frun%2Fmy%20sql.sock'],
    [':/run/db.sock', 'mariadb://wp:secret@localhost/shop?socket=%2Frun%2Fdb.sock'],
  ]
  for (const [host, address] of table)
    assert.equal(addressOfDatabase(read(`${database} define('DB_HOST', '${host}');`).database), address)
  for (const host of ['db:0', 'db:70000', 'db:port', 'a b', '[::1'])
    assert.equal(faultsOf(`${database} define('DB_HOST', '${host}');`)[0]?.name, 'DB_HOST', host)
})

test('a password is escaped in the address', () => {
  const { database: of } = read(
    `define('DB_NAME', 'shop'); define('DB_USER', 'a:b'); define('DB_PASSWORD', '@/?#%é'); define('DB_HOST', 'db');`,
  )
  assert.equal(addressOfDatabase(of), 'mariadb://a%3Ab:%40%2F%3F%23%25%C3%A9@db:3306/shop')
})

test('each constant has its type and its default', () => {
  const all = read(`${database}
    $table_prefix = 'Shop_';
    define('AUTH_KEY', 'k'); define('AUTH_SALT', 's'); define('WP_HOME', 'https://shop.example');
    define('WP_SITEURL', WP_HOME . '/wp'); define('COOKIEHASH', md5(WP_SITEURL)); define('COOKIE_DOMAIN', false);
    define('SITECOOKIEPATH', '/'); define('ADMIN_COOKIE_PATH', '/wp/wp-admin'); define('FORCE_SSL_ADMIN', 1);
    define('WP_ENVIRONMENT_TYPE', 'staging'); define('CUSTOM_USER_TABLE', 'people');
    define('CUSTOM_USER_META_TABLE', 'people_meta'); define('DISALLOW_UNFILTERED_HTML', true);
    define('EMPTY_TRASH_DAYS', 7); define('WP_POST_REVISIONS', false); define('MYSQL_CLIENT_FLAGS', MYSQLI_CLIENT_SSL);
    define('WP_ALLOW_MULTISITE', true);`)
  assert.deepEqual(
    {
      prefix: all.prefix,
      secrets: all.secrets,
      siteurl: all.siteurl,
      cookies: [all.cookies.hash, all.cookies.domain, all.cookies.sitePath, all.cookies.adminPath, all.cookies.path],
      flags: [all.forceSslAdmin, all.disallowUnfilteredHtml, all.isMultisite, all.database.isEncrypted],
      others: [all.environmentType, all.userTable, all.userMetaTable, all.emptyTrashDays, all.postRevisions],
    },
    {
      prefix: 'Shop_',
      secrets: { AUTH_KEY: 'k', AUTH_SALT: 's' },
      siteurl: 'https://shop.example/wp',
      // The MD5 of that address.
      cookies: ['6b989999c16166e1c2890bdffad9e3eb', '', '/', '/wp/wp-admin', null],
      flags: [true, true, false, true],
      others: ['staging', 'people', 'people_meta', 7, 0],
    },
  )
  const none = read(database)
  assert.deepEqual(
    [none.prefix, none.home, none.environmentType, none.emptyTrashDays, none.postRevisions, none.isMultisite],
    ['wp_', null, 'production', 30, -1, false],
  )
  const inEnvironment = { WP_ENVIRONMENT_TYPE: 'local' }
  assert.equal(read(database, inEnvironment).environmentType, 'local')
  assert.equal(read(`${database} define('WP_ENVIRONMENT_TYPE', 'staging');`, inEnvironment).environmentType, 'staging')
  assert.equal(read(`${database} define('WP_ENVIRONMENT_TYPE', '');`, inEnvironment).environmentType, 'local')
  const pluginsPath = (lines: string) => read(`${database} ${lines}`).cookies.pluginsPath
  assert.equal(pluginsPath("define('WP_CONTENT_URL', 'https://x.example/app');"), '/app/plugins')
  assert.equal(pluginsPath("define('WP_CONTENT_URL', '/a'); define('WP_PLUGIN_URL', 'https://x.example/p');"), '/p')
  const forced = (lines: string) => read(`${database} ${lines}`).forceSslAdmin
  assert.equal(forced(''), null)
  assert.equal(forced("define('FORCE_SSL_ADMIN', false);"), false)
  assert.equal(forced("define('FORCE_SSL_ADMIN', false); define('FORCE_SSL_LOGIN', true);"), true)
  assert.equal(read(`${database} define('MULTISITE', true);`).isMultisite, true)
  assert.equal(read(database, { WORDPRESS_MULTISITE: 'false' }).isMultisite, false)
  assert.equal(faultsOf(`${database} $table_prefix = 'wp-1; DROP';`)[0]?.name, '$table_prefix')
})

describe('hostile files are refused or read in bounded time', () => {
  const deep = 5000
  const table: [what: string, code: string, fault: RegExp][] = [
    ['a quoted text without an end', `define('DB_NAME', 'x`, /no end \(line 2\)/],
    ['a double-quoted text without an end', `define("DB_NAME\\", 1);`, /no end/],
    ['a comment without an end', `\n/* x`, /comment has no end \(line 3\)/],
    ['a heredoc without an end', `$a = <<<X\nx\n`, /no end/],
    ['deep parentheses', `$a = ${'('.repeat(deep)}`, /nested too deeply/],
    ['deep signs', `$a = ${'!'.repeat(deep)}1;`, /nested too deeply/],
    ['deep blocks', '{'.repeat(deep), /nested too deeply/],
    ['deep conditions', 'if (1) '.repeat(deep), /nested too deeply/],
    ['deep choices', `$a = ${'1 ? '.repeat(deep)}1;`, /nested too deeply/],
    ['a huge file', ' '.repeat(1_048_576), /more than 1048576 bytes/],
    ['a character of no language', `define(\u0001);`, /character that PHP does not know/],
    [
      'a text that doubles',
      `$a = 'x';${'$a .= $a;'.repeat(5000)} define('DB_NAME', $a);`,
      /more than 65536 characters/,
    ],
    ['code that evaluates itself', `$a = 'eval($a); eval($a);'; eval($a);`, /evaluates code that cannot be read/],
    ['a file that includes itself', `require 'wp-config.php';`, /includes .*wp-config\.php, which cannot be read/],
    ['a pipe or device', `require '/dev/zero';`, /is not a file/],
  ]
  for (const [what, code, fault] of table)
    test(what, () => assert.match(faultsOf(code)[0]?.message ?? 'no fault', fault))

  test('brackets and words in any order end', () => {
    const text =
      '( ) [ ] { } ; : ? if else elseif endif function fn new class switch case => ' +
      "= . , $a 't' define #[ match static include eval return try catch const -> ! 1 ?> <?php isset"
    const words = text.split(' ')
    let seed = 7
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let round = 0; round < 2000; round += 1) {
      const code = Array.from({ length: 1 + next(30) }, () => words[next(words.length)]).join(' ')
      try {
        read(`${code}`)
      } catch (error) {
        assert.ok(error instanceof WordPressConfigError, `${code}: ${String(error)}`)
      }
    }
  })
})
