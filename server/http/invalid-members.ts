import type { AnySchemaObject, ErrorObject } from 'ajv'
import { invalidInput } from '../errors.ts'
import type { AppError, ErrorDetail } from '../errors.ts'
import { maskSecrets } from '../mask-secrets.ts'

/** Maximum errors that one response lists. */
const maxErrors = 20

/** `INVALID_REQUEST` naming every member at fault. */
export function invalidMembers(found: ErrorDetail[]): AppError {
  const details = found.slice(0, maxErrors).map(({ path, message }) => ({ path: shownPath(path), message }))
  const [first] = details
  const more = details.length < maxErrors ? `${details.length - 1} more` : 'more'
  return invalidInput(`${first!.path}: ${first!.message}${details.length > 1 ? ` (and ${more})` : ''}.`, details)
}

/** Maximum characters of a path in an error. */
const maxPathLength = 200

/** Converts `requestBody.alias` of the validator to `body.alias`. An unknown member name may be a secret in the wrong place. */
const shownPath = (path: string) =>
  maskSecrets(path.replace(/^requestBody/, 'body').slice(0, maxPathLength)).toWellFormed() || 'body'

/** Converts an error of the validator. */
export function toDetail({ instancePath, params, keyword, message, parentSchema }: ErrorObject): ErrorDetail {
  const member = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['missingProperty']
  const path = [...instancePath.split('/').slice(1), ...(member === undefined ? [] : [member])].join('.')
  return {
    path,
    message: messages[keyword]?.(params, parentSchema) ?? message ?? 'is not valid',
  }
}

/** Messages for keywords whose message in Ajv does not say how to correct the request. */
const messages: Record<string, (params: Record<string, unknown>, schema?: AnySchemaObject) => string | undefined> = {
  pattern: (_params, schema) => typeof schema?.['description'] === 'string' ? `does not fit: ${firstSentence(schema['description'])}` : undefined,
  additionalProperties: () => 'is not known; leave it out',
  unevaluatedProperties: () => 'is not known; leave it out',
  required: () => 'is required',
  maximum: ({ limit }, schema) => typeof schema?.['x-beyond'] === 'string'
    ? `must be <= ${String(limit)}; to go further, ${schema['x-beyond']}`
    : undefined,
  format: ({ format }) => format === 'uri' ? 'must be a URL, such as https://example.com/path' : undefined,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
}

/** The first sentence of a description gives the format of a value; the rest gives its use. */
const firstSentence = (description: string) => description.replace(/\s+/g, ' ').trim().split(/\.(?: (?=[A-Z])|$)/)[0]!
