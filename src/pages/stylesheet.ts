import { createHash } from 'node:crypto'
import { encodeText } from '../php/text.js'
import type { PublicFile } from './public-files.js'

/** The stylesheet of the service's own pages, and of the public pages of an application without templates. */
const stylesheet = `:root {
  color-scheme: light dark;
  --text: #1d2327;
  --soft: #50575e;
  --page: #fff;
  --panel: #f6f7f7;
  --line: #c3c4c7;
  --accent: #1d5fb4;
  --on-accent: #fff;
  --danger: #a61b24;
  --on-danger: #fff;
  --good: #0a6b2d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e8eaed;
    --soft: #a9b0b7;
    --page: #16191c;
    --panel: #1f2428;
    --line: #3c434a;
    --accent: #8ab8ff;
    --on-accent: #10151a;
    --danger: #ff9b9b;
    --on-danger: #10151a;
    --good: #7fd99a;
  }
}
* { box-sizing: border-box }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  overflow-wrap: anywhere;
}
.column { max-width: 62rem; margin-inline: auto; padding-inline: 1.25rem }
.column.narrow { max-width: 30rem }
.top { border-bottom: 1px solid var(--line); background: var(--panel) }
.top .column { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; justify-content: space-between; padding-block: .9rem }
.top nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem }
.top nav:not(:last-child) { margin-inline-end: auto }
.site { font-weight: 700; font-size: 1.15rem; color: inherit; text-decoration: none }
main { padding-block: 2rem; outline: none }
main :is(p, li, dd) { max-width: 44rem }
footer { color: var(--soft); padding-block: .5rem; border-top: 1px solid var(--line); font-size: .9rem }
a { color: var(--accent) }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 0 0 1rem }
h2 { font-size: 1.3rem; margin: 2.25rem 0 .75rem }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .35rem; line-height: 1.35 }
.card :is(h2, h3) { font-size: 1.1rem; margin: 0 0 .35rem; line-height: 1.35 }
img, video, iframe { max-width: 100%; height: auto }
pre { overflow: auto; padding: 1rem; background: var(--panel); border-radius: .3rem }
.soft { color: var(--soft) }
.skip { position: absolute; left: -100vw; background: var(--page); padding: .5rem 1rem; z-index: 1 }
.skip:focus { left: 0 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; padding: 0; margin: 0; list-style: none }
.card { border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); padding: 1rem 1.1rem }
.card p { margin: 0; color: var(--soft) }
p.related { margin: .35rem 0 0; color: var(--soft); font-size: .9rem }
.pages { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1rem; margin-top: 1.5rem }
.search { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; margin: 0 0 1.5rem }
.search label { margin: 0 }
.search input { flex: 1 1 12rem; min-width: 0 }
label { display: block; font-weight: 600; margin-bottom: .25rem }
.field { margin: 0 0 1.1rem }
.field p { margin: .25rem 0 0; color: var(--soft); font-size: .9rem }
textarea, input:is([type=text], [type=password], [type=search], [type=date], :not([type])) {
  width: 100%; max-width: 30rem; padding: .5rem .65rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--soft); border-radius: .3rem;
}
input[type=date] { width: auto }
textarea { display: block; resize: vertical }
input[readonly] { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 1.05rem }
.check { display: flex; gap: .5rem; align-items: center }
.check label { font-weight: 400; margin: 0 }
button, .button {
  display: inline-block; font: inherit; font-weight: 600; cursor: pointer; text-decoration: none;
  padding: .45rem 1rem; border-radius: .3rem; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent);
}
button.plain, .button.plain { background: transparent; color: var(--accent) }
button.danger, .button.danger { background: transparent; border-color: var(--danger); color: var(--danger) }
button.danger.solid { background: var(--danger); color: var(--on-danger) }
[hidden] { display: none }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem }
form { margin: 0 }
.notice { border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); background: var(--panel); padding: .75rem 1rem; margin: 0 0 1.5rem; border-radius: .2rem }
.notice :is(p, ul) { margin: .25rem 0 }
.notice h2 { margin: 0 0 .25rem; font-size: 1.1rem }
.notice-error { border-inline-start-color: var(--danger) }
.notice-success { border-inline-start-color: var(--good) }
.items { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; padding: 0; margin: 0; list-style: none }
time { white-space: nowrap }
.item { border: 1px solid var(--line); border-radius: .4rem; background: var(--panel); padding: .9rem 1.1rem }
.item :is(h3, h4) { font-size: 1.05rem; margin: 0 0 .5rem; line-height: 1.35 }
.item dl { margin-bottom: .75rem; font-size: .95rem }
.item time { white-space: normal }
.secret { display: inline-block; font: 1.15rem/1.6 ui-monospace, Menlo, Consolas, monospace; user-select: all; overflow-wrap: normal; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .35rem .65rem }
.confirm > summary { list-style: none; width: fit-content }
.confirm > summary::-webkit-details-marker { display: none }
.confirm[open] > summary { margin-bottom: .75rem }
.confirm form { border-inline-start: 4px solid var(--danger); padding-inline-start: .75rem }
.confirm form p { margin: 0 0 .5rem }
table { border-collapse: collapse }
th, td { text-align: start; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; margin: 0 }
dt { color: var(--soft) }
dd { margin: 0 }
`

const hash = createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)

export const stylesheetPath = '/wp-includes/css/pages.css'

/** The address contains the version of the file, so that browsers may cache it for a year. */
export const stylesheetAddress = `${stylesheetPath}?ver=${hash}`

/** The stylesheet as a file. `Last-Modified` is the start of the process. */
export const stylesheetFile: PublicFile = {
  type: 'text/css; charset=UTF-8',
  etag: `"${hash}"`,
  modified: new Date(),
  read: async () => encodeText(stylesheet),
}
