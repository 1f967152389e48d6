import { readSource } from './pages.ts'

/** The parts of the document that the pages show. */
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}
interface Content { content?: Record<string, { schema?: Schema, examples?: Record<string, { $ref?: string, value?: unknown }> }> }
interface Parameter { $ref?: string, name: string, in: string, description?: string, required?: boolean, schema?: Schema }
interface Operation {
  'operationId': string
  'tags'?: string[]
  'summary': string
  'description': string
  'x-audience'?: string
  'security'?: Record<string, string[]>[]
  'parameters'?: Parameter[]
  'requestBody'?: Content & { $ref?: string }
  'responses': Record<string, Content & { $ref?: string, description: string }>
}
interface Document {
  info: { description: string }
  tags: { name: string, description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
}
type Samples = Record<string, { typescript: string, python: string }>

const readContract = (name: string): unknown => JSON.parse(readSource(`server/contract/${name}`))

/**
 * The pages of the API by their names, made from the document: one for all requests, one for each tag, and one for the events. Operations
 * of the dashboard are left out. The reference at `/docs` of a server also calls operations.
 */
export function referencePages(): Record<string, string> {
  const document = readContract('document.gen.json') as Document
  const samples = readContract('samples.gen.json') as Samples
  const operations = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item)
    .filter(([method, operation]) => method !== 'parameters' && operation['x-audience'] === undefined)
    .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })))
  const pages = document.tags.flatMap(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name))
    const sections = own.map(({ call, operation }) => section(document, call, operation, samples[operation.operationId]))
    return own.length === 0 ? [] : [[fileOf(name), `# ${name}\n\n${description}\n\n${sections.join('\n\n')}\n`]]
  })
  const events = Object.entries(document.webhooks).map(([name, { post }]) => section(document, name, post))
  return {
    index: `# The API\n\n${document.info.description}`,
    ...Object.fromEntries(pages) as Record<string, string>,
    'webhook-events': `# Events of webhooks\n\nThe requests that a server of yours gets.\n\n${events.join('\n\n')}\n`,
  }
}

const fileOf = (tag: string) => tag.toLowerCase().replaceAll(/\W+/g, '-')

function section(document: Document, call: string, operation: Operation, sample?: Samples[string]): string {
  const scope = operation.security?.find((each) => each['apiKey'])?.['apiKey']![0]
  const parameters = (operation.parameters ?? []).map((each) => follow<Parameter>(document, each))
  const body = operation.requestBody && contentOf(document, operation.requestBody)
  const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'))!
  const errors = Object.keys(operation.responses).filter((code) => !code.startsWith('2'))
  const example = contentOf(document, answer)
  return [
    `## ${operation.summary}`,
    `\`${call}\`${scope ? `, with the scope \`${scope}\`` : ''}`,
    operation.description.replaceAll(/^#/gm, '###'),
    titled('Parameters', table(parameters.map(({ name, in: place, required, description = '', schema = {} }) =>
      [`\`${name}\``, place, factsOf(document, schema, required), description]))),
    titled('Body', body?.schema && table(membersOf(document, body.schema, true))),
    sample ? `::: code-group\n\`\`\`ts [TypeScript]\n${fill(sample.typescript)}\n\`\`\`\n\`\`\`python [Python]\n${fill(sample.python)}\n\`\`\`\n:::` : '',
    titled(sample ? `Answer ${status}` : 'Your answer', `${follow(document, answer).description}\n\n${
      example?.schema ? table(membersOf(document, example.schema, false)) : ''}\n${errors.length > 0 ? `Errors: ${errors.join(', ')}.` : ''}`),
    example?.value === undefined ? '' : `::: details Example\n\`\`\`json\n${JSON.stringify(example.value, null, 2)}\n\`\`\`\n:::\n`,
  ].filter(Boolean).join('\n\n')
}

/** The server and the key, which the reference at `/docs` fills in. */
const fill = (code: string) => code.replaceAll('$MAYFLY_BASE_URL', 'http://localhost:3000').replaceAll('$MAYFLY_API_KEY', 'svc_live_…')

const titled = (title: string, text: string | undefined) => text?.trim() ? `**${title}**\n\n${text}` : ''

function contentOf(document: Document, holder: Content & { $ref?: string }) {
  const content = follow(document, holder).content?.['application/json']
  const [first] = Object.values(content?.examples ?? {})
  return content && { schema: content.schema, value: first && follow(document, first).value }
}

/** The members of an object, those of objects in it with their path: `data.id`, `data.items[].id`. */
function membersOf(document: Document, schema: Schema, isInput: boolean, prefix = '', depth = 0): string[][] {
  const merged = merge(document, schema)
  if (merged.items) return membersOf(document, merged.items, isInput, `${prefix}[]`, depth)
  return Object.entries(merged.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix ? `${prefix}.${name}` : name
    const own = merge(document, member)
    const facts = factsOf(document, member, isInput && merged.required?.includes(name))
    return [[`\`${path}\``, '', facts, own.description ?? ''], ...depth < 4 ? membersOf(document, member, isInput, path, depth + 1) : []]
  })
}

/** A schema with the members of all that it extends; of several forms, those of all. */
function merge(document: Document, schema: Schema): Schema {
  const own = follow(document, schema)
  const parts = [...own.allOf ?? [], ...own.oneOf ?? [], ...own.anyOf ?? []].filter(({ type }) => type !== 'null').map((part) => merge(document, part))
  const all = [...parts, own]
  const properties = Object.assign({}, ...all.map((each) => each.properties)) as Record<string, Schema>
  return {
    ...Object.assign({}, ...all) as Schema,
    ...Object.keys(properties).length > 0 && { properties },
    required: own.oneOf ? [] : all.flatMap(({ required = [] }) => required),
  }
}

function factsOf(document: Document, schema: Schema, isRequired = false): string {
  const { type, format, enum: values, default: value, minimum, maximum, maxLength, items } = merge(document, schema)
  const types = [type ?? 'any'].flat().map((name) => name === 'array' ? `list of ${items ? [merge(document, items).type ?? 'any'].flat().join(' or ') : 'any'}` : name)
  return [
    format ?? types.join(' or '),
    ...isRequired ? ['required'] : [],
    ...values ? [`one of ${values.map((each) => `\`${String(each)}\``).join(', ')}`] : [],
    ...minimum === undefined ? [] : [`at least ${minimum}`],
    ...maximum === undefined ? [] : [`at most ${maximum}`],
    ...maxLength === undefined ? [] : [`at most ${maxLength} characters`],
    ...value === undefined ? [] : [`default \`${JSON.stringify(value)}\``],
  ].join(', ')
}

/** A column without a text is left out. */
function table(rows: string[][]): string {
  if (rows.length === 0) return ''
  const used = ['Name', 'In', 'Type', ''].map((title, i) => ({ title, i })).filter(({ i }) => rows.some((row) => row[i]))
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const cellOf = (text: string) => text.trim().replaceAll(/\s*\n+\s*/g, ' ').replaceAll('|', '\\|')
  return line(used.map(({ title }) => title)) + line(used.map(() => '---')) + rows.map((row) => line(used.map(({ i }) => cellOf(row[i]!)))).join('')
}

const follow = <T extends object>(document: Document, part: T & { $ref?: string }): T => part.$ref
  ? follow(document, part.$ref.split('/').slice(1).reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as T)
  : part
