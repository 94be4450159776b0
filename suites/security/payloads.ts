/** The name of elements and attributes that nothing but an attack makes. */
export const mark = 'xss7'
/** 7 × 7,777, which no page contains unless a template computed it. */
export const product = '54439'

/** Texts that become elements, attributes, scripts or headers where somebody forgets to escape them. */
export const payloads: readonly string[] = [
  `<${mark}>`,
  `"><${mark}>`,
  `'><${mark}>`,
  `</title><${mark}>`,
  `</textarea><${mark}>`,
  `</script><${mark}>`,
  `--><${mark}>`,
  `]]><${mark}>`,
  `</style><${mark}>`,
  `<img src=x onerror=${mark}()>`,
  `<svg/onload=${mark}()>`,
  `<a href="javascript:${mark}()">a</a>`,
  `<a href="java&#115;cript:${mark}()">a</a>`,
  `<a href=" &#14;javascript:${mark}()">a</a>`,
  `<a style="background:url(javascript:${mark}())">a</a>`,
  `<iframe srcdoc="<${mark}>"></iframe>`,
  `<form action="https://evil.example"><input name=${mark}>`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<math><mi//xlink:href="data:x,<script>${mark}()</script>">`,
  `<noscript><p title="</noscript><${mark}>">`,
  `<p title="${mark}" ${mark}=1 onclick=${mark}()>a</p>`,
  `" ${mark}="1`,
  `' ${mark}='1`,
  `x ${mark}=1 `,
  `" onfocus="${mark}()" autofocus="`,
  `&lt;${mark}&gt;`,
  `&#60;${mark}&#62;`,
  `\\u003c${mark}\\u003e`,
  `<\0${mark}>`,
  `<%= 7*7777 %>`,
  `<%~ 7*7777 %>`,
  `{{7*7777}}`,
  `\${7*7777}`,
  `#{7*7777}`,
  `<?php echo 7*7777 ?>`,
  `[gallery]<${mark}>[/gallery]`,
  `<!-- wp:html --><${mark}><!-- /wp:html -->`,
  `\ud800<${mark}>`,
  `\r\nX-Injected: 1\r\n\r\n<${mark}>`,
]

/** A name and description of the site that become elements where a page does not escape them. */
export const hostileSite = { name: `"><${mark}> Shop`, description: `'><${mark}> ${'{{7*7777}}'}` }
