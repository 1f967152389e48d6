import type { OpenAPIV3_1 } from 'openapi-types'
import { classicDocument, document } from '../../server/contract/document.ts'
import type { ReplyCheck } from '../../server/http/operations/reply-check.ts'
import { closedAnswers } from './closed-answers.ts'

const faults: string[] = []

/** `operationId status` of every answer that a test's server gave, except injected faults. */
export const answered = new Set<string>()

let closedClassic: OpenAPIV3_1.Document | undefined

/** Compares every answer of the servers of all tests with the closed document. */
export const replyCheck: ReplyCheck = {
  document: closedAnswers(document),
  classicDocument: () => closedClassic ??= closedAnswers(classicDocument()),
  onReply({ operationId, status, faults: found, isUndocumented }) {
    faults.push(...found)
    if (!isUndocumented) answered.add(`${operationId} ${status}`)
  },
}

/** Answers of any test's server that the document does not describe; a hook fails the test that got them. */
export const takeReplyFaults = (): string[] => faults.splice(0)
