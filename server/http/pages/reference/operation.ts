import type { OpenAPIV3_1 } from 'openapi-types'
import { operations } from '../../../contract/operations.gen.ts'
import type { OperationId } from '../../../contract/operations.gen.ts'
import type { DialectName } from '../../../dialects/dialects.ts'
import { escapeHtml } from '../../../domain/system-mail.ts'
import { plansWithApi } from '../../../store/schema/values.ts'
import { needsPlanWithApi } from '../../operations/authenticate.ts'
import { lineToHtml, markdownToHtml } from './markdown.ts'
import { follow, parameterTable, schemaTable } from './members.ts'
import type { Shown } from './members.ts'
import { runForm } from './run-form.ts'
import { exampleBody, languages, parametersOf, samplesOf } from './samples.ts'
import type { Sample } from './samples.ts'

type Operation = OpenAPIV3_1.OperationObject
type Body = OpenAPIV3_1.RequestBodyObject
type Answer = OpenAPIV3_1.ResponseObject
type Examples = OpenAPIV3_1.MediaTypeObject['examples']

/** The section of an operation: its text and tables, and beside them samples, a form that runs it, and its answer. */
export function operationSection(shown: Shown, dialect: DialectName, operation: Operation): string {
  const operationId = operation.operationId as OperationId
  const call = { document: shown.document, dialect, operationId }
  const { method, path, status } = operations[operationId]
  const parameters = parametersOf(call)
  const example = exampleBody(call)
  const table = (place: string, title: string) => parameterTable(shown, title, parameters.filter((each) => each.in === place))
  return section(operation, `${methodTag(method)} <code class="path">${escapeHtml(path)}</code>`, `
${accessOf(shown, operationId, 'x-extension' in operation)}
${markdownToHtml(operation.description!, shown.find)}
${titled('Path', table('path', 'Path'))}
${titled('Query', table('query', 'Query'))}
${operation.requestBody ? bodyOf(shown, follow<Body>(shown, operation.requestBody), example ?? {}) : ''}
${headersOf(parameters, table('header', 'Headers'))}
${titled('Answers', Object.entries(operation.responses!).map(([code, answer]) => answerOf(shown, code, follow<Answer>(shown, answer))).join(''))}`, `
${samples(samplesOf(call))}
${runForm(shown, { operationId, summary: operation.summary!, parameters, example })}
${examplesOf(`Answer ${status}`, contentOf(follow<Answer>(shown, operation.responses![status]!))?.examples, shown)}`)
}

/** The section of an event: the request that a server of the reader gets. */
export function eventSection(shown: Shown, name: string, operation: Operation): string {
  const body = follow<Body>(shown, operation.requestBody!)
  const parameters = operation.parameters!.map((each) => follow<OpenAPIV3_1.ParameterObject>(shown, each))
  return section(operation, `${methodTag('post')} <code class="path">${escapeHtml(name)}</code>`, `
${markdownToHtml(operation.description!, shown.find)}
${titled('Headers', parameterTable(shown, 'Headers', parameters))}
${bodyOf(shown, body, undefined)}
${titled('Your answers', Object.entries(operation.responses!).map(([code, answer]) => answerOf(shown, code, follow<Answer>(shown, answer))).join(''))}`,
  examplesOf('Body', contentOf(body)?.examples, shown))
}

const section = ({ operationId, summary }: Operation, line: string, text: string, side: string) => `
<article id="${operationId}" aria-labelledby="${operationId}-title">
<header><h3 id="${operationId}-title"><a href="#${operationId}">${escapeHtml(summary!)}</a></h3><p class="call">${line}</p></header>
<div class="text">${text}</div>
<div class="side">${side}</div>
</article>`

export const methodTag = (method: string): string => `<span class="method ${method}">${method.toUpperCase()}</span>`

const titled = (title: string, content: string) => content && `<h4>${title}</h4>${content}`

/** The credentials, the scope and the plan that a call needs. */
function accessOf({ document }: Shown, operationId: OperationId, isExtension: boolean): string {
  const { scope, isPublic, isShared } = operations[operationId]
  const facts: [name: string, value: string][] = [['Operation', `<code>${operationId}</code>`]]
  if (scope === null) {
    facts.push(['Access', isPublic ? 'without a key and without a session'
      : isShared ? 'token of a share link; no API key and no session' : 'session of the dashboard; no API key'])
  } else {
    const page = document.info.description!.includes('## Scopes') ? '' : 'docs' // of the other dialect
    facts.push(['Scope', `<a href="${page}#scopes"><code>${scope}</code></a>`])
    facts.push(['Plan', `${plansFor(operationId, 'key')} with a key, ${plansFor(operationId, 'session')} in the dashboard`])
  }
  if (isExtension) facts.push(['Extension', 'an addition to the common temporary-email API'])
  return `<dl class="access">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`
}

/** Folded, since most operations have the same ones. */
function headersOf(parameters: OpenAPIV3_1.ParameterObject[], table: string): string {
  const names = parameters.filter((each) => each.in === 'header').map(({ name }) => `<code>${name}</code>`)
  return table && `<details class="fold headers"><summary>Headers: ${names.join(', ')}</summary>${table}</details>`
}

const plansFor = (...call: Parameters<typeof needsPlanWithApi>) =>
  needsPlanWithApi(...call) ? plansWithApi.map((plan) => plan[0]!.toUpperCase() + plan.slice(1)).join(' or ') : 'any'

function bodyOf(shown: Shown, body: Body, example: unknown): string {
  const content = body.content['application/json']!
  return titled('Body', `
<p class="note"><code>application/json</code>, ${body.required ? 'required' : 'optional'}. ${escapeHtml(body.description ?? '')}</p>
${schemaTable(shown, 'Body', content.schema!, example)}${otherExamples(shown, content.examples)}`)
}

/** An answer, folded: the table of the successful one is long, and errors are the same everywhere. */
function answerOf(shown: Shown, status: string, answer: Answer): string {
  const isError = /^[45]/.test(status)
  const inner = headersOfAnswer(shown, status, answer) + (isError ? errorOf(shown, answer) : successOf(shown, status, answer))
  const codes = isError ? codesOf(shown, contentOf(answer)?.examples).map((code) => `<code>${code}</code>`) : []
  // without links, since a press opens it
  const summary = `<b class="status s${status[0]}">${status}</b> ${lineToHtml(answer.description, () => undefined)} ${codes.join(' ')}`
  return inner ? `<details class="answer"><summary>${summary}</summary>${inner}</details>` : `<p class="answer">${summary}</p>`
}

/** Without those of the rate limit, which all answers have. */
function headersOfAnswer(shown: Shown, status: string, { headers = {} }: Answer): string {
  const shownHeaders = Object.entries(headers).filter(([name]) => !name.startsWith('X-RateLimit-'))
    .map(([name, header]) => ({ name, ...follow<OpenAPIV3_1.HeaderObject>(shown, header) }))
  return shownHeaders.length > 0 ? `<h5>Headers</h5>${parameterTable(shown, `Headers of ${status}`, shownHeaders)}` : ''
}

function successOf(shown: Shown, status: string, answer: Answer): string {
  const [type] = Object.keys(answer.content ?? {})
  const { schema, examples } = contentOf(answer) ?? {}
  return [
    schema ? `<h5>Body</h5>${schemaTable(shown, `Body of ${status}`, schema)}` : type ? `<p class="note">Body: <code>${type}</code></p>` : '',
    otherExamples(shown, examples),
  ].join('')
}

const errorOf = (shown: Shown, answer: Answer) => answer.content
  ? `<p class="note">The body is an <a href="#errors">error</a>.</p>${otherExamples(shown, contentOf(answer)?.examples, 0)}`
  : ''

/** The codes of errors, in the form of either dialect. */
function codesOf(shown: Shown, examples: Examples = {}): string[] {
  const bodies = Object.values(examples).map((example) => follow<OpenAPIV3_1.ExampleObject>(shown, example).value as ErrorBody)
  return [...new Set(bodies.flatMap(({ code, error }) => code ?? error?.code ?? []))]
}

interface ErrorBody { code?: string, error?: { code?: string } }

const contentOf = ({ content }: Pick<Answer, 'content'>) => content?.['application/json']

/** The examples from a number on, each folded. */
const otherExamples = (shown: Shown, examples: Examples = {}, from = 1) => Object.values(examples).slice(from).map((example) => {
  const { summary, value } = follow<OpenAPIV3_1.ExampleObject>(shown, example)
  return `<details class="fold"><summary>Example: ${escapeHtml(summary!)}</summary>${codeBlock(JSON.stringify(value, null, 2))}</details>`
}).join('')

/** The first example of an answer, beside the text. */
function examplesOf(title: string, examples: Examples, shown: Shown): string {
  const [example] = Object.values(examples ?? {})
  if (!example) return ''
  const { summary, value } = follow<OpenAPIV3_1.ExampleObject>(shown, example)
  return `<div class="code" role="group" aria-label="${title}"><header><b>${title}</b> <span>${escapeHtml(summary ?? '')}</span></header>${codeBlock(JSON.stringify(value, null, 2))}</div>`
}

const codeBlock = (code: string) => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`

/** All samples of an operation; the script of the page shows one of them, and its language for all operations. */
const samples = (all: Sample[]) => `<div class="code samples" role="group" aria-label="Samples"><header>${
  all.map(({ language }) => `<button type="button" data-language="${language}" hidden>${languages[language]}</button>`).join('')}</header>${
  all.map(({ language, code }) => `<pre tabindex="0" data-sample="${language}" aria-label="${languages[language]}"><code>${fillable(escapeHtml(code), language)}</code></pre>`).join('')}</div>`

/** The server and the key, which the script of the page fills in. A shell reads the variables of curl without it. */
const fillable = (code: string, language: string) => code.replaceAll(/\$MAYFLY_(BASE_URL|API_KEY)/g, (variable, name: keyof typeof placeholders) =>
  `<span data-fill="${name}">${language === 'curl' ? variable : placeholders[name]}</span>`)

const placeholders = { BASE_URL: 'http://localhost:3000', API_KEY: 'svc_live_…' }
