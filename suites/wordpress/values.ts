const split = (text: string): string[] => text.split('|')

/** Values of parameters. */
export const words = [
  ...split('a|b|abc|1|0|-1|5|1.5|true|false|null||edit|date|title|a,b|1,2 3|é|日本|😀|<b>x</b>|a b|%41|a@b.co|#fff'),
  ...split("2024-01-02T10:00:00|127.0.0.1|http://x.y/?a=b&c=d|javascript:x|1e2|0x1A| 7 |+5|.5|-0|x\ny|it's|x\u0000y"),
  ...split('9007199254740993|99999999999999999999|550e8400-e29b-41d4-a716-446655440000|/a/b|red|auto|"q"|back\\slash'),
  ...split('sesame|__proto__|constructor'),
]

/** Values and names as they stand in an address. */
export const encodedValues = split('%FF|%E2%82|a%00b|%|%zz|%C3%A9%FFx|+|%2B|a=b|;|%0A|a%0A|%26')
export const encodedNames = [
  ...split('a%00b|%00a|.a|+a|a.b|a%20b|a+b|[a]|a]|a;|a%5Bb%5D|%61|a[b.c]|a[+b+]|a[b]c|a[[b]]|a[b|a[|é|%C3%A9|A|0|1'),
  ...split('-1|__proto__|constructor|a[__proto__]|a[constructor][x]|page'),
]

/** What follows a name. */
export const brackets = split('||||||[]|[]|[a]|[b]|[0]|[1]|[2]|[x]|[a][]|[][a]|[a][b]|[01]|[-1]|[1][]')

export const fieldLists = [
  ...split(
    'params|params.a|id|id,title|title.raw|title.raw,id|list|list.a|id.id|a.b.c|a.b|a,a.b|a.b,a|Id| id , title ',
  ),
  ...split(
    'id,,title|id title|0|name|_links|_links.up|inner.b.c,id|x.y.z|nope|body|code|data.status|url,query|params.0',
  ),
  ...split('a\\.b|.|a.|.a|namespace|routes|methods|endpoints|endpoints.args|schema|_embedded|user'),
]

/** Parameters that mean something to WordPress or to a route. */
export const special: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['_fields', fieldLists],
  ['_fields', fieldLists],
  ['_fields[]', fieldLists],
  ['_fields[x]', fieldLists],
  ['_embed', split('|1|0|true|false|up|wp:term|up,collection|other|https://api.w.org/term|x|collection up')],
  ['_embed[]', split('up|collection|1|')],
  ['_envelope', split('|1|0|false|embed')],
  ['_jsonp', split(`cb|a.b||0|a-b|a()|é|${'x'.repeat(60)}|1|__proto__`)],
  ['_method', split('GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD|get|Put|x||0|GET ')],
  ['_locale', split('user|x')],
  ['_pretty', split('|1|0')],
  ['context', split('view|edit|embed|help|x|')],
  ['per_page', split('1|100|-1|x|')],
  ['page', split('1|2|0|x')],
  ['open', split('sesame|x')],
  ['id', split('1|7|999999|x|')],
  ['category', split('books|uncategorized|Books|nope||books,x')],
  ['orderby', split('date|title|price|popularity|x')],
  ['namespace', split('made/v1|nope|')],
  [
    'rest_route',
    split("/echo/v1/plain|/made/v1/items|made/v1/items|/made/v1/item/1/|/echo/v1/seg/it's|/ECHO/v1/plain"),
  ],
  ['rest_route', split('/echo/v1/seg/a\\b|/nope')],
]

/** Paths below the prefix that fit no pattern of a route in a simple way. */
export const oddPaths = [
  ...split('/made|/made/v1|/made/v1/|/echo/v1|/ECHO/V1/plain|/made//v1/items|/made/v1//items|/made/v1/items//|/nope'),
  ...split(
    '/made/v1/items%20|/made/v1/items%0A|/made/v1/items/%0A|/made/v1/item/1%0A|/made/v1/it%65ms|/nope/v1|/batch/v1',
  ),
  ...split(
    '/made/v1/items.json|/made/v1/nope|/wp/v2/nope|/batch/v1/|/shop/v1/nope|/made/v1/item/01|/made/v1/fallback/12',
  ),
  ...split('/made/v1/fallback/ab|/made/v1/odd.case/x|/made/v1/Odd.Case/|/made/v1/Odd.Case/a/b/c|/made/v1/oddxcase/1'),
  ...split('/made/v10|/made/v1%2Fitems|/made/v1/items%3Fa=1|/made/v1/items;x|/made/v1/items\\|/made/v1/items%5C'),
  ...split('/echo/v1/seg/%FF|/echo/v1/seg/a+b|/echo/v1/uni/%C3%A9'),
]

export const jsonTypes = [
  ...split('application/json|application/json|application/json|application/json; charset=utf-8|APPLICATION/JSON'),
  ...split(
    'application/vnd.api+json|application/ld+json|text/json|application/json;|application/jsonx| application/json',
  ),
  ...split('application/problem+json; a=b|application/json+oembed|text/plain, application/json'),
]

export const formTypes = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=UTF-8',
  'APPLICATION/X-WWW-FORM-URLENCODED',
]

/** Bodies of which little is an ordinary map. */
export const oddJson = [
  ...split('|0|[1,]|{"a":1|5|null|true|[]|{}|[1,2]|[{"a":1}]| |{"a":1}x|\ufeff{}|{"a":"\\ud800"}|{"a":1,"a":2}|{"":1}'),
  ...split(
    '{"a":"\u0001"}|01|{"a":1e999}|{"a":-0}|{"a":-0.0}|{"a":1.0}|{"a":9007199254740993}|{"0":"a","1":"b"}|{"a":null}',
  ),
  ...split(
    '{"1":"a","0":"b"}|{"a":{"1":"x","0":"y"}}|{"a":{}}|{"a":[[],{}]}|false|{"a b":1,"a.b":2}|{"a[]":1}|NaN|1.0|-1',
  ),
  ...split(
    '{"_method":"PUT","_fields":"id","_envelope":1,"_jsonp":"x"}|{"__proto__":1,"constructor":2}|{"a":"\\u0000"}',
  ),
  ...split('{"a":{"__proto__":{"x":1}}}|{"a":"\\/"}|\n{"a":1}\n|[[[[[[1]]]]]]|{"a":1E400}|{"a":0.1e-400}|{\'a\':1}'),
]
