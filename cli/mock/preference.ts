import type { OpenAPIV3_1 } from 'openapi-types'
import { invalidRequest } from '../../server/errors.ts'
import { examplesOf } from './examples.ts'

/** One example of the document: an answer with a status. */
export interface Answer {
  status: number
  example: string
}

/** What `Prefer: code=404` or `Prefer: example=empty` asks for. */
export interface Wish {
  code?: number
  example?: string
}

/** The parts of a header `Prefer` (RFC 7240) that choose an example; others are ignored. */
export function readPrefer(header: string): Wish {
  const parts = header.split(/[,;]/).map((part) => /^\s*(code|example)\s*=\s*"?([^"]*?)"?\s*$/.exec(part))
  const { code, example }: Record<string, string | undefined> =
    Object.fromEntries(parts.flatMap((part) => part ? [[part[1]!, part[2]!]] : []))
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) throw invalid(`code=${code} is not a status`)
  return { ...code !== undefined && { code: Number(code) }, ...example !== undefined && { example } }
}

/** Every example of every answer of an operation, in the order of the document. What answers without content is `empty`. */
export function answersOf(document: OpenAPIV3_1.Document, { responses = {} }: OpenAPIV3_1.OperationObject): Answer[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    Object.keys(examplesOf(document, response) ?? { empty: {} }).map((example) => ({ status: Number(status), example })))
}

/**
 * What an operation answers to a wish: one header may go with every request of a page, so an operation that has no such
 * example answers as if it had not been asked.
 * @param known every example of every operation
 * @throws AppError `INVALID_REQUEST` when no operation has it, as it is misspelt then
 */
export function choose(answers: Answer[], wish: Wish, known: Answer[]): Partial<Answer> {
  if (Object.keys(wish).length === 0) return {}
  const isMeant = ({ status, example }: Answer) => (wish.code ?? status) === status && (wish.example ?? example) === example
  if (!known.some(isMeant)) throw invalid(misspelt(wish, known))
  return answers.find(isMeant) ?? {}
}

function misspelt({ code, example }: Wish, known: Answer[]): string {
  const names = [...new Set(known.map((answer) => answer.example))].sort()
  if (example !== undefined && !names.includes(example)) return `no operation has an example ${example}. There are ${names.join(', ')}`
  return `no operation answers ${code}${example === undefined ? '' : ` with the example ${example}`}`
}

const invalid = (message: string) => invalidRequest('header.Prefer', message)
