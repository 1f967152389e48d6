import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsOf } from '../../openapi/document.ts'

export interface AnswerCoverage {
  /** Lines to print: the documented answers that no server gave. */
  table: string[]
  /** Answers that need a test or an explanation, and outdated explanations. */
  problems: string[]
}

/**
 * @param answered `operationId status` of the answers that were given
 * @param explained answers that no test can get, each with the reason
 */
export function answerCoverage(
  document: OpenAPIV3_1.Document, answered: ReadonlySet<string>, explained: Record<string, string>,
): AnswerCoverage {
  const operations = operationsOf(document)
  const documented = operations.flatMap(({ operationId, definition }) => Object.keys(definition.responses!).map((status) => `${operationId} ${status}`))
  const missing = documented.filter((answer) => !answered.has(answer))
  const given = documented.length - missing.length
  return {
    table: [
      `Of ${documented.length} answers that the document has for ${operations.length} operations, the servers of the tests gave ${given}.`,
      ...missing.map((answer) => `  ${answer.padEnd(50)} ${explained[answer] ?? 'not explained'}`),
    ],
    problems: [
      ...missing.filter((answer) => !(answer in explained))
        .map((answer) => `${answer}: add a test that gets this answer, or the reason why no test can`),
      ...Object.keys(explained).filter((answer) => !missing.includes(answer)).map((answer) => `${answer}: ` +
        `remove the explanation, the answer ${documented.includes(answer) ? 'was given' : 'is not documented'}`),
    ],
  }
}
