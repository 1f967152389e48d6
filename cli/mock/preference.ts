import type { OpenAPIV3_1 } from 'openapi-types'
import { invalidRequest } from '../../server/errors.ts'
import { examplesOf } from './examples.ts'

/** One example of the document: an answer with a status. */
export interface ExampleAnswer {
  status: number
  example: string
}

/** A header such as `Prefer: code=404` or `Prefer: example=empty`. */
export interface Preference {
  code?: number
  example?: string
}

/** The parts of a header `Prefer` (RFC 7240) that select an example; others are ignored. */
export function readPrefer(header: string): Preference {
  const parts = header.split(/[,;]/).map((part) => /^\s*(code|example)\s*=\s*"?([^"]*?)"?\s*$/.exec(part))
  const { code, example }: Record<string, string | undefined> =
    Object.fromEntries(parts.flatMap((part) => part ? [[part[1]!, part[2]!]] : []))
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) throw invalid(`code=${code} is not a status`)
  return { ...code !== undefined && { code: Number(code) }, ...example !== undefined && { example } }
}

/** The value of `Preference-Applied`. */
export const formatPreference = ({ code, example }: Preference): string =>
  [...code === undefined ? [] : [`code=${code}`], ...example === undefined ? [] : [`example=${example}`]].join(', ')

/** Every example of every answer of an operation, in the order of the document. An answer without content has one, `empty`. */
export function answersOf(document: OpenAPIV3_1.Document, { responses = {} }: OpenAPIV3_1.OperationObject): ExampleAnswer[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    Object.keys(examplesOf(document, response) ?? { empty: {} }).map((example) => ({ status: Number(status), example })))
}

/**
 * Selects the preferred example. A page may send one header with all of its requests, so an operation without such an example ignores it.
 * @param known every example of every operation
 * @throws AppError `INVALID_REQUEST` when no operation has it: a spelling mistake
 */
export function choosePreferred(answers: ExampleAnswer[], preference: Preference, known: ExampleAnswer[]): Partial<ExampleAnswer> {
  if (Object.keys(preference).length === 0) return {}
  const isPreferred = ({ status, example }: ExampleAnswer) =>
    (preference.code ?? status) === status && (preference.example ?? example) === example
  if (!known.some(isPreferred)) throw invalid(misspelt(preference, known))
  return answers.find(isPreferred) ?? {}
}

function misspelt({ code, example }: Preference, known: ExampleAnswer[]): string {
  const names = [...new Set(known.map((answer) => answer.example))].sort()
  if (example !== undefined && !names.includes(example)) return `no operation has an example ${example}. There are ${names.join(', ')}`
  return `no operation answers ${code}${example === undefined ? '' : ` with the example ${example}`}`
}

const invalid = (message: string) => invalidRequest('header.Prefer', message)
