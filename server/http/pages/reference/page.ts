import type { OpenAPIV3_1 } from 'openapi-types'
import { classicDocument, document as primaryDocument } from '../../../contract/document.ts'
import type { DialectName } from '../../../dialects/dialects.ts'
import { escapeHtml } from '../../../domain/system-mail.ts'
import { markdownToHtml, slugOf } from './markdown.ts'
import { eventSection, methodTag, operationSection } from './operation.ts'

type Operation = OpenAPIV3_1.OperationObject
interface Entry { method: string, path: string, operation: Operation }

/** Links between the pages of the dialects. */
const dialectLinks: Record<DialectName, string> = {
  primary: '<b aria-current="page">Primary dialect</b> <a href="docs?dialect=classic">Classic dialect</a>',
  classic: '<a href="docs">Primary dialect</a> <b aria-current="page">Classic dialect</b>',
}
const documentNames: Record<DialectName, string> = { primary: 'openapi', classic: 'openapi.classic' }

/**
 * The reference of a dialect, made from its document (docs/decisions/0007). It can be read without its script, which filters, chooses the
 * language of samples, and runs operations. Addresses are relative, for a server behind a proxy that gives it a path.
 * @param files the addresses of script and style
 */
export function referencePage(dialect: DialectName, files: { script: string, style: string }): string {
  const document = dialect === 'primary' ? primaryDocument : classicDocument()
  const entries = Object.entries(document.paths!).flatMap(([path, item]) => Object.entries(item!)
    .filter(([, operation]) => typeof operation === 'object' && 'operationId' in operation)
    .map(([method, operation]): Entry => ({ method, path, operation: operation as Operation })))
  const ids = new Map(entries.map(({ method, path, operation }) => [`${method.toUpperCase()} ${path}`, operation.operationId!]))
  const shown = { document, find: (code: string) => ids.get(code.replace(/\?.*/, '')) }
  const groups = document.tags!.map(({ name, description }) =>
    ({ name, description: description!, entries: entries.filter(({ operation }) => operation.tags![0] === name) }))
  const events = Object.entries(document.webhooks as Record<string, { post: Operation }>).map(([name, { post }]) => [name, post] as const)
  const { title, description = '' } = document.info
  const start = description.indexOf('\n## ')
  const guide = description.slice(start)
  return `<!doctype html>
<html lang="en" data-dialect="${dialect}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<details class="menu" open><summary>Contents</summary>
<nav aria-label="Contents">
<div class="find" hidden><input id="filter" type="search" placeholder="Filter (press /)" aria-label="Filter operations" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p></div>
${navigationGroup('Guide', [...guide.matchAll(/^## (.*)$/gm)].map(([, heading]) => navigationLink(slugOf(heading!), escapeHtml(heading!))))}
${groups.map(({ name, entries }) => navigationGroup(name, entries.map(({ method, operation }) => operationLink(method, operation)))).join('\n')}
${navigationGroup('Webhook events', events.map(([, operation]) => operationLink('post', operation)))}
</nav></details>
<b class="brand">Mayfly API</b>
<nav class="pages" aria-label="Pages"><a href="./">Dashboard</a> ${dialectLinks[dialect]}</nav>
</header>
<main id="main" tabindex="-1">
<section class="guide">
<h1>${escapeHtml(title)}</h1>
${markdownToHtml(description.slice(0, start), shown.find)}
<p>The document itself: ${['yaml', 'json'].map((form) => `<a href="${documentNames[dialect]}.${form}">${documentNames[dialect]}.${form}</a>`).join(', ')}.</p>
<form class="credentials" hidden aria-label="Credentials">
<p class="who">Operations of this page run with the session of the dashboard in this browser, or with a key that you give here.</p>
<label>Data of the session <select id="mode"><option value="live">live data</option><option value="test">test data</option></select></label>
<label>API key <input id="key" type="password" placeholder="svc_live_… or svc_test_…" autocomplete="off" spellcheck="false"></label>
<p class="note">A key is used in place of the session, and is forgotten with the page.</p>
</form>
${markdownToHtml(guide, shown.find)}
</section>
${groups.map(({ name, description, entries }) => `<section class="tag"><h2 id="tag-${slugOf(name)}">${escapeHtml(name)}</h2>
${markdownToHtml(description, shown.find)}
${entries.map(({ operation }) => operationSection(shown, dialect, operation)).join('')}</section>`).join('\n')}
<section class="tag"><h2 id="tag-webhook-events">Webhook events</h2>
<p>The requests that your server gets from <a href="#tag-webhooks">webhooks</a>.</p>
${events.map(([name, operation]) => eventSection(shown, name, operation)).join('')}</section>
</main>
<dialog id="question" aria-labelledby="question-title"><form method="dialog">
<h2 id="question-title"></h2><p></p>
<p class="buttons"><button value="cancel">Cancel</button> <button value="run" class="strong">Run</button></p>
</form></dialog>
</body>
</html>
`
}

const navigationGroup = (title: string, links: string[]) =>
  `<section><p class="group" id="group-${slugOf(title)}">${escapeHtml(title)}</p><ul aria-labelledby="group-${slugOf(title)}">${links.join('')}</ul></section>`

const operationLink = (method: string, { operationId, summary }: Operation) =>
  navigationLink(operationId!, `${methodTag(method)} <span>${escapeHtml(summary!)}</span>`)

const navigationLink = (id: string, content: string) => `<li><a href="#${id}">${content}</a></li>`
