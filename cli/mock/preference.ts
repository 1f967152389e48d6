import { invalidRequest } from '../../server/errors.ts'
import type { ExampleAnswer } from './examples.ts'

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

/**
 * Selects the preferred example; undefined without one. A page may send one header with all of its requests, so an operation without such
 * an example ignores it.
 * @param known every example of every operation
 * @throws AppError `INVALID_REQUEST` when no operation has it: a spelling mistake
 */
export function choosePreferred(
  answers: ExampleAnswer[], preference: Preference, known: ExampleAnswer[],
): ExampleAnswer | undefined {
  if (Object.keys(preference).length === 0) return undefined
  const isPreferred = ({ status, example }: ExampleAnswer) =>
    (preference.code ?? status) === status && (preference.example ?? example) === example
  if (!known.some(isPreferred)) throw invalid(misspelt(preference, known))
  return answers.find(isPreferred)
}

function misspelt({ code, example }: Preference, known: ExampleAnswer[]): string {
  const names = [...new Set(known.map((answer) => answer.example))].sort()
  if (example !== undefined && !names.includes(example)) return `no operation has an example ${example}. There are ${names.join(', ')}`
  return `no operation answers ${code}${example === undefined ? '' : ` with the example ${example}`}`
}

const invalid = (message: string) => invalidRequest('header.Prefer', message)
