import { Argument, Command, InvalidArgumentError } from 'commander'
import type { DialectName } from '../../server/dialects/dialects.ts'
import { asClient } from '../client/as-client.ts'
import { dialectOption, urlOption, withExamples, withJson } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { print, toJson } from '../output.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = typeof methods[number]

interface Options extends ClientOptions {
  data?: object
  dialect?: DialectName
}

export function apiCommand(): Command {
  return withJson(withExamples(new Command('api'), [
    "mayfly api GET '/emails?limit=5'",
    `mayfly api POST /addresses --data '{"expiresIn":2}' --dialect classic`,
    "mayfly api GET /webhooks --json | jq '.data[].url'",
  ]).addOption(urlOption()))
    .addArgument(new Argument('<method>', 'the HTTP method').choices(methods))
    .argument('<path>', 'the path, such as /addresses; a query may follow', parsePath)
    .option('--data <json>', 'the body of the request', parseBody)
    .addOption(dialectOption('the dialect of request and answer; default: that of the key'))
    .action((method: Method, path: string, options: Options) => asClient(options, async ({ mayfly, signal }) => {
      const body = await mayfly.request(method, path, { signal, dialect: options.dialect, body: options.data })
      print(options, body, () => toJson(body, 2))
    }))
}

function parsePath(text: string): string {
  if (text.startsWith('/')) return text
  throw new InvalidArgumentError('It begins with a slash, as in /addresses.')
}

function parseBody(text: string): object {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body
  } catch {
    // as JSON of another kind
  }
  throw new InvalidArgumentError('It must be a JSON object, such as {"alias":"shop"}.')
}
