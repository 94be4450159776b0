import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOf, read, warningsOf } from '../../test/support/wordpress/read-config.js'

test('a prefix that a called function sets is named with its line, and the variable to set', () => {
  for (const code of [
    `$table_prefix = 'wp_';\nfunction site() {\n  global $a, $table_prefix;\n  $table_prefix = 'shop_';\n}\nsite();`,
    `$table_prefix = 'wp_';\n\nfunction site() {\n  $GLOBALS['table_prefix'] = 'shop_';\n}\nsite();`,
    `$table_prefix = 'wp_';\nfunction site() { set(); }\nfunction set() {\n$GLOBALS['table_prefix'] = 'shop_'; }\nsite();`,
    `$table_prefix = 'wp_';\n(function () {\n  global $table_prefix;\n  $table_prefix = 'shop_';\n})();`,
    `function site() {\n  global $table_prefix;\n\n  $table_prefix = 'shop_';\n}\nsite(); $table_prefix = 'wp_'; site();`,
    `$f = function () {\n  global $table_prefix;\n\n  $table_prefix = 'shop_';\n};\n$table_prefix = 'wp_'; $f();`,
  ]) {
    const [fault, ...others] = faultsOf(code)
    assert.deepEqual([fault?.name, fault?.line, others], ['$table_prefix', 6, []], code)
    assert.match(fault?.message ?? '', /a function sets it.*WORDPRESS_TABLE_PREFIX/)
    assert.equal(read(code, { WORDPRESS_TABLE_PREFIX: 'shop_' }).prefix, 'shop_')
  }
  for (const code of [
    `$table_prefix = 'wp_'; function site() { global $table_prefix; $table_prefix = 'shop_'; }`,
    `$table_prefix = 'wp_'; function site() { global $table_prefix; return $table_prefix; } site();`,
    `function site() { global $table_prefix; $table_prefix = 'shop_'; } site(); $table_prefix = 'wp_';`,
    `$table_prefix = 'wp_'; function site() { return $this->load() + A::load(); } function load() { require $_SERVER['SITE']; } site();`,
    `$table_prefix = 'wp_'; function site() { require $_SERVER['SITE']; } add_action('init', 'site');`,
    `$table_prefix = 'wp_'; function env2($a) { return $a; } $f = 'trim'; $f('a'); $g = fn ($a) => $a; $g(1); array_map('trim', []);`,
    `$table_prefix = 'wp_'; class A { static function b() { require $a; } } add_action('init', ['A', 'b']); B::c();`,
    `$table_prefix = 'wp_'; $f = function () { require $a; }; spl_autoload_register($f); add_action('init', $f); array_map('trim', $all);`,
    `$table_prefix = 'wp_'; unset($a['b']); $a = array_filter($all); usort($a, 'strcmp'); array_walk($a, fn (&$b) => 1, $c); array_udiff($a, $b, 'strcmp');`,
    `$table_prefix = 'wp_'; spl_autoload_register(function ($class) { require "$class.php"; });`,
  ])
    assert.deepEqual([read(code).prefix, warningsOf(code)], ['wp_', []], code)
})

describe('a prefix that is set in a way that is not read is a fault with its line', () => {
  for (const code of [
    `list($table_prefix) = ['x_'];`,
    `[$a, $table_prefix] = ['x_', 'y_'];`,
    `['a' => $table_prefix] = ['a' => 'y_'];`,
    `extract(['table_prefix' => 'x_']);`,
    `$GLOBALS['table_prefix'] = 'x_';`,
    `$GLOBALS[$name] = 'x_';`,
    `$$name = 'x_';`,
    `foreach (['x_'] as $table_prefix) {}`,
    `foreach (['x_' => 1] as $table_prefix => $b) {}`,
    `$x = &$table_prefix; $x = 'x_';`,
    `$x = 'x_'; $table_prefix = &$x; $x = 'y_';`,
    `$f = function () use (&$table_prefix) { $table_prefix = 'x_'; }; $f();`,
    `while ($table_prefix = next($all)) {}`,
    `$table_prefix[0] = 'x';`,
  ])
    test(code, () => {
      for (const before of ['\n', `$table_prefix = 'wp_';\n`]) {
        const [fault, ...more] = faultsOf(before + code)
        assert.deepEqual([fault?.name, fault?.line, more], ['$table_prefix', 4, []])
        assert.match(fault?.message ?? '', /WORDPRESS_TABLE_PREFIX in the environment/)
        assert.equal(read(before + code, { WORDPRESS_TABLE_PREFIX: 'x_' }).prefix, 'x_')
      }
    })

  test('a later assignment of a text is read', () => {
    for (const code of [`extract($all);`, `list($table_prefix) = $all;`, `foreach ($all as $table_prefix) {}`])
      assert.equal(read(`${code} $table_prefix = 'wp_';`).prefix, 'wp_', code)
    assert.equal(faultsOf(`$x = &$table_prefix; $table_prefix = 'a_'; $x = 'b_';`)[0]?.name, '$table_prefix')
  })
})
