/**
 * `operationId status` → why no test can draw this documented answer from a server. A whole run of the tests ends with a comparison of
 * this list with what was answered.
 */
export const unanswered: Record<string, string> = {}
