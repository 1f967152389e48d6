import { ApiError, AuthenticationError, NetworkError, PermissionError, RateLimitError } from '@mayfly-mail/sdk'

/** An error of a tool whose message is written for the model. */
export class ToolError extends Error {}

/** Before the name of a member, which is that of the tool's input. */
const partOfRequest = /^(body|query|path)\./

/** @returns what failed, and the way out, for the model */
export function explainError(error: unknown): string {
  if (!(error instanceof ApiError)) {
    if (error instanceof NetworkError) return `${error.message} Check MAYFLY_BASE_URL, and that the server runs.`
    return error instanceof Error ? error.message : String(error)
  }
  const { serverMessage, code, status, details } = error
  const members = details.map(({ path, message }) => `${path.replace(partOfRequest, '')}: ${message}`)
  const said = serverMessage.replace(partOfRequest, '')
  return [`${code ?? status}: ${said}`, ...members.filter((member) => !said.includes(member)), wayOut(error)].filter(Boolean).join('\n')
}

/** The next step, where the message of the server does not have it. */
function wayOut(error: ApiError): string {
  if (error instanceof RateLimitError) return `Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} seconds.`
  if (error instanceof AuthenticationError) return 'The person who runs this agent has to give it another API key.'
  if (partOfRequest.test(error.serverMessage)) return '' // the bounds of a key: the message says what to give instead
  if (error instanceof PermissionError) return 'Only the person who runs this agent can change that. Go on without this tool.'
  return ''
}
