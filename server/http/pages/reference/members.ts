import type { OpenAPIV3_1 } from 'openapi-types'
import { escapeHtml } from '../../../domain/system-mail.ts'
import { markdownToHtml } from './markdown.ts'
import type { FindSection } from './markdown.ts'

/** The document that a page shows, and the ids of its sections. */
export interface Shown {
  document: OpenAPIV3_1.Document
  find: FindSection
}

type Parameter = OpenAPIV3_1.ParameterObject
type Schema = Omit<OpenAPIV3_1.SchemaObject, 'type' | 'items' | 'properties' | 'allOf' | 'oneOf' | 'anyOf'> & {
  '$ref'?: string, 'type'?: string | string[], 'items'?: Schema, 'properties'?: Record<string, Schema>, 'allOf'?: Schema[], 'oneOf'?: Schema[],
  'anyOf'?: Schema[], 'const'?: unknown, 'x-extensible-enum'?: unknown[], 'x-extension'?: boolean,
}

/** A row of a table: a parameter, a header, or a member of an object. */
interface Row {
  name: string
  schema: Schema
  description: string
  /** The word beside the type, such as `required`. */
  mark: string
  example: unknown
  isExtension: boolean
}

/** The depth of objects in objects at which tables end; no schema of the document contains itself. */
const maxDepth = 8

/** Returns the component that a reference names, and any other part itself. */
export const follow = <T extends object>({ document }: Pick<Shown, 'document'>, part: T | OpenAPIV3_1.ReferenceObject): T =>
  '$ref' in part ? part.$ref.split('/').slice(1).reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as T : part

/** The table of parameters or headers. */
export const parameterTable = (shown: Shown, title: string, parameters: Omit<Parameter, 'in'>[]): string => table(shown, title, parameters.map((each) => ({
  name: each.name,
  schema: each.schema as Schema,
  description: each.description ?? '',
  mark: each.required ? 'required' : '',
  example: each.example,
  isExtension: 'x-extension' in each,
})), 0)

/**
 * The table of the members of a JSON object.
 * @param example a value, whose members are shown; undefined for answers, which are shown as a whole beside the table
 */
export function schemaTable(shown: Shown, title: string, schema: object, example?: unknown): string {
  return membersOf(shown, schema, title, { depth: 0, isAnswer: example === undefined, example })
}

interface Place { depth: number, isAnswer: boolean, example: unknown }

/** The tables of what a value consists of: the members of an object, also of those in a list, or each of several forms. */
function membersOf(shown: Shown, schema: Schema, title: string, place: Place): string {
  const { forms, ...merged } = merge(shown, schema)
  if (place.depth > maxDepth) return ''
  if (forms.length > 1) {
    return forms.filter((form) => isObject(shown, form)).map((form) =>
      fold(escapeHtml(merge(shown, form).description ?? 'Form'), membersOf(shown, form, title, { ...place, depth: place.depth + 1 }), '')).join('')
  }
  if (merged.items) return membersOf(shown, merged.items, title, { ...place, example: (place.example as unknown[] | undefined)?.[0] })
  const properties = Object.entries(merged.properties ?? {})
  if (properties.length === 0) return typeof merged.additionalProperties === 'object' ? membersOf(shown, merged.additionalProperties, title, place) : ''
  const required = new Set(merged.required)
  return table(shown, title, properties.map(([name, member]) => {
    const { description = '', ...resolved } = merge(shown, member)
    return {
      name, schema: member, description, isExtension: resolved['x-extension'] ?? false,
      mark: place.isAnswer === required.has(name) ? '' : place.isAnswer ? 'optional' : 'required',
      example: (place.example as Record<string, unknown> | undefined)?.[name],
    }
  }), place.depth, place.isAnswer)
}

function isObject(shown: Shown, schema: Schema): boolean {
  const { items, properties, additionalProperties, forms } = merge(shown, schema)
  if (properties || typeof additionalProperties === 'object') return true
  return items ? isObject(shown, items) : forms.some((form) => isObject(shown, form))
}

type Merged = Schema & { forms: Schema[], isNullable: boolean }

/** Of schemas that many operations have. */
const mergedBefore = new WeakMap<Schema, Merged>()

/** A schema without references: with the members of all that it extends. `forms`: the schemas of which a value has one, without null. */
function merge(shown: Shown, schema: Schema): Merged {
  const own = follow<Schema>(shown, schema)
  const found = mergedBefore.get(own) ?? mergeParts(shown, own)
  mergedBefore.set(own, found)
  return found
}

function mergeParts(shown: Shown, own: Schema): Merged {
  const parts = (own.allOf ?? []).map((part) => merge(shown, part))
  const options = own.oneOf ?? own.anyOf ?? []
  const forms = options.filter((form) => form.type !== 'null')
  const [only] = forms.length === 1 ? forms.map((form) => merge(shown, form)) : []
  const types = [own.type ?? only?.type ?? parts.find(({ type }) => type)?.type ?? []].flat()
  const merged = {
    ...only, ...Object.assign({}, ...parts) as Schema, ...own,
    type: types.filter((type) => type !== 'null'),
    forms: only ? only.forms : forms,
    isNullable: types.includes('null') || forms.length < options.length,
  }
  const all = [only, ...parts, own]
  const properties = all.flatMap((each) => each?.properties ?? [])
  if (properties.length > 0) merged.properties = Object.assign({}, ...properties) as Record<string, Schema>
  merged.required = all.flatMap((each) => each?.required ?? [])
  return merged
}

function table(shown: Shown, title: string, rows: Row[], depth: number, isAnswer = false): string {
  if (rows.length === 0) return ''
  const body = rows.map((row) => tableRow(shown, row, depth, isAnswer)).join('')
  return `<table class="members"><caption><span class="unseen">${escapeHtml(title)}</span></caption><tbody>${body}</tbody></table>`
}

function tableRow(shown: Shown, { name, schema, description, mark, example, isExtension }: Row, depth: number, isAnswer: boolean): string {
  const inner = isObject(shown, schema) ? membersOf(shown, schema, `Members of ${name}`, { depth: depth + 1, isAnswer, example }) : ''
  const marks = [mark && `<span class="mark ${mark}">${mark}</span>`, isExtension ? '<span class="mark" title="An addition to the common temporary-email API">extension</span>' : '']
  return `<tr><th scope="row"><code class="name">${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeOf(shown, schema))}</span> ${marks.join(' ')}</th>` +
    `<td>${description ? markdownToHtml(description, shown.find) : ''}${factsOf(shown, schema, inner ? undefined : example)}</td></tr>` +
    // the data of an answer is what a reader looks for
    (inner && `<tr class="inner"><td colspan="2">${fold(`Members of <code>${escapeHtml(name)}</code>`, inner, depth === 0 && isAnswer && name === 'data' ? ' open' : '')}</td></tr>`)
}

const fold = (summary: string, content: string, open: string) => content && `<details class="fold"${open}><summary>${summary}</summary>${content}</details>`

/** `string or null`, `list of object`. */
function typeOf(shown: Shown, schema: Schema): string {
  const { type, format, items, forms, isNullable } = merge(shown, schema)
  const names = { 'date-time': 'time', 'uuid': 'UUID', 'uri': 'URL', 'email': 'email address', 'date': 'date' } as Record<string, string>
  const [plain = forms.length > 0 ? 'any of these forms' : 'any'] = type as string[]
  const name = format ? names[format] ?? format : plain === 'array' ? `list of ${items ? typeOf(shown, items) : 'any'}` : plain
  return isNullable ? `${name} or null` : name
}

/** The limits, the values, the default and an example. */
function factsOf(shown: Shown, schema: Schema, example: unknown): string {
  const merged = merge(shown, schema)
  const items = merged.items && merge(shown, merged.items)
  const values = merged.enum ?? (merged.const === undefined ? undefined : [merged.const]) ?? items?.enum
  const open = merged['x-extensible-enum'] ?? items?.['x-extensible-enum']
  const range = (min: number | undefined, max: number | undefined, unit: string) => {
    if (min === undefined && max === undefined) return []
    const text = max === undefined ? `at least ${format(min!)}` : min === undefined ? `at most ${format(max)}` : min === max ? format(min) : `${format(min)} to ${format(max)}`
    return [`${text}${unit}`]
  }
  const facts = [
    ...values ? [`one of ${codes(values)}`] : [],
    ...open ? [`one of ${codes(open)}; more may come`] : [],
    ...range(merged.minimum, merged.maximum, ''),
    ...range(merged.minLength, merged.maxLength, ' characters'),
    ...range(merged.minItems, merged.maxItems, ' items'),
    ...merged.uniqueItems ? ['no item twice'] : [],
    ...merged.pattern ? [`pattern ${codes([merged.pattern])}`] : [],
    ...merged.default === undefined ? [] : [`default ${codes([merged.default])}`],
    ...example === undefined ? [] : [`example ${codes([example])}`],
  ]
  return facts.length > 0 ? `<p class="facts">${facts.map((fact) => `<span>${fact}</span>`).join(' ')}</p>` : ''
}

const { format } = new Intl.NumberFormat('en')
const codes = (values: unknown[]) => values.map((value) => `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`).join(', ')
