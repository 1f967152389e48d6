import type { OpenAPIV3_1 } from 'openapi-types'
import { operations } from '../../../contract/operations.gen.ts'
import type { OperationId } from '../../../contract/operations.gen.ts'
import { dialectHeader } from '../../../dialects/dialects.ts'
import type { DialectName } from '../../../dialects/dialects.ts'
import { readProgramFile } from '../../../program-file.ts'
import { follow } from './members.ts'

/** A way to call an operation. Its code has `$MAYFLY_BASE_URL` and `$MAYFLY_API_KEY` for the server and the key. */
export interface Sample { language: Language, code: string }

export const languages = { curl: 'curl', typescript: 'TypeScript', python: 'Python', command: 'Command line' } as const
type Language = keyof typeof languages

export interface Call {
  document: OpenAPIV3_1.Document
  dialect: DialectName
  operationId: OperationId
}

type SdkSamples = Record<string, { typescript: string, python: string }>
let sdkSamples: SdkSamples | undefined

/** The samples of an operation. The SDKs speak the primary dialect alone; they and the command have no operations of the dashboard. */
export function samplesOf(call: Call): Sample[] {
  sdkSamples ??= JSON.parse(readProgramFile(new URL('../../../contract/samples.gen.json', import.meta.url))) as SdkSamples
  const sdk = sdkSamples[call.operationId]
  const curl: Sample = { language: 'curl', code: curlSample(call) }
  if (!sdk) return [curl]
  const command: Sample = { language: 'command', code: `export MAYFLY_BASE_URL=$MAYFLY_BASE_URL MAYFLY_API_KEY=$MAYFLY_API_KEY\n${commandSample(call)}` }
  if (call.dialect === 'classic') return [curl, command]
  return [curl, { language: 'typescript', code: `${sdkClient}\n${sdk.typescript}` }, { language: 'python', code: sdk.python }, command]
}

const sdkClient = "import { Mayfly } from '@mayfly-mail/sdk'\n\nconst mayfly = new Mayfly({ baseUrl: '$MAYFLY_BASE_URL', apiKey: '$MAYFLY_API_KEY' })"

/**
 * The command that calls an operation with the examples of the document. It takes the server from `MAYFLY_BASE_URL` and the key from
 * `MAYFLY_API_KEY`, for an operation of the dashboard the cookie of a session from `MAYFLY_COOKIE`, and for one of a share link its token
 * from `MAYFLY_SHARE_TOKEN`.
 */
function curlSample(call: Call): string {
  const { method, scope, isPublic, isShared, isStream } = operations[call.operationId]
  const body = exampleBody(call)
  const isChange = method !== 'get'
  return [
    `curl ${isStream ? '-N ' : ''}${isChange && !(method === 'post' && body) ? `-X ${method.toUpperCase()} ` : ''}"$MAYFLY_BASE_URL${filledPath(call)}"`,
    ...scope === null ? [] : ['-H "Authorization: Bearer $MAYFLY_API_KEY"'],
    ...isShared ? ['-H "Authorization: Bearer $MAYFLY_SHARE_TOKEN"'] : [],
    ...scope === null && !isPublic && !isShared ? ['-H "Cookie: $MAYFLY_COOKIE"', ...isChange ? ["-H 'Sec-Fetch-Site: same-origin'"] : []] : [],
    ...call.dialect === 'primary' ? [] : [`-H '${dialectHeader}: ${call.dialect}'`],
    ...body ? ["-H 'Content-Type: application/json'", `-d ${quotedJson(body)}`] : [],
  ].join(' \\\n  ')
}

/** `mayfly api` prints JSON; other answers have a command of their own. */
function commandSample(call: Call): string {
  const { method, path } = operations[call.operationId]
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(exampleOf(call, name!)))
  const own: { [Id in OperationId]?: string } = {
    'emails.raw': `mayfly email raw ${ids[0]}`,
    'emails.attachment': `mayfly email save-attachments ${ids[0]} --to .`,
    'events.stream': 'mayfly webhook listen --forward-to http://localhost:8080/hooks/mail',
  }
  const body = exampleBody(call)
  return own[call.operationId] ?? [
    `mayfly api ${method.toUpperCase()} ${filledPath(call).replace('/api/v1', '')}`,
    ...body ? [`--data ${quotedJson(body)}`] : [],
    ...call.dialect === 'primary' ? [] : [`--dialect ${call.dialect}`],
  ].join(' \\\n  ')
}

const filledPath = (call: Call): string =>
  operations[call.operationId].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(exampleOf(call, name)))

const exampleOf = (call: Call, name: string): unknown => parametersOf(call).find((each) => each.name === name)?.example

/** The parameters of an operation, with those of its path. */
export function parametersOf({ document, operationId }: Call): OpenAPIV3_1.ParameterObject[] {
  const { method, path } = operations[operationId]
  const item = document.paths![path]!
  return [...item.parameters ?? [], ...item[method]!.parameters ?? []]
    .map((each) => follow<OpenAPIV3_1.ParameterObject>({ document }, each))
}

/** The first example of the body of an operation; undefined without a body. */
export function exampleBody({ document, operationId }: Call): unknown {
  const { method, path } = operations[operationId]
  const { requestBody } = document.paths![path]![method]!
  if (!requestBody) return undefined
  const { content } = follow<OpenAPIV3_1.RequestBodyObject>({ document }, requestBody)
  const [example] = Object.values(content['application/json']?.examples ?? {})
  return example && follow<OpenAPIV3_1.ExampleObject>({ document }, example).value as unknown
}

/** JSON for a POSIX shell, on several lines where it is long. */
function quotedJson(body: unknown): string {
  const line = JSON.stringify(body)
  return `'${(line.length > 60 ? JSON.stringify(body, null, 2) : line).replaceAll("'", `'\\''`)}'`
}
