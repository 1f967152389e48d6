/**
 * `operationId status` → the reason why no test can get this documented answer from a server. A run of all tests ends with a comparison
 * of this list with the given answers.
 */
export const unanswered: Record<string, string> = {}
