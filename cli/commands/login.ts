import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { asClientOf } from '../client/as-client.ts'
import type { Client } from '../client/as-client.ts'
import { withExamples } from '../client/options.ts'
import type { ClientOptions } from '../client/options.ts'
import { ask, askHidden, readStdin } from '../client/prompt.ts'
import { chooseUrl, defaultUrl, loginFile, normalUrl, readLogin, removeLogin, writeLogin } from '../client/settings.ts'
import { print, say } from '../output.ts'

export function loginCommand(): Command {
  return withExamples(new Command('login'), [
    'mayfly login                                         asks for both',
    'mayfly login --url https://mail.example.com          asks for the key',
    'mayfly login --url https://mail.example.com --key-stdin < key.txt',
  ])
    .option('--url <url>', 'URL of the server')
    .option('--key-stdin', 'read the API key from stdin')
    .option('--json', 'one JSON document on stdout')
    .action(login)
}

export function logoutCommand(): Command {
  return withExamples(new Command('logout'), ['mayfly logout'])
    .option('--json', 'one JSON document on stdout')
    .action((options: ClientOptions) => {
      const wasLoggedIn = removeLogin(process.env)
      print(options, { loggedOut: wasLoggedIn }, () => wasLoggedIn ? `removed ${loginFile(process.env)}` : 'There was no login.')
      warnOfEnvironment('is still set, and used')
    })
}

async function login(options: ClientOptions & { keyStdin?: boolean }) {
  const isAsking = process.stdin.isTTY && !options.keyStdin
  const baseUrl = normalUrl(chooseUrl(options, process.env) ?? (isAsking ? await ask('URL of the server', knownUrl()) : knownUrl()))
  const apiKey = (isAsking ? await askHidden('API key') : await readStdin()).trim()
  if (!apiKey) throw new CliError(isAsking ? 'No API key was given.' : 'There is no API key on stdin. On a terminal "mayfly login" asks for it.')
  await asClientOf({ baseUrl, apiKey }, checkKey)
  const file = writeLogin(process.env, { baseUrl, apiKey })
  print(options, { baseUrl, file }, () => `logged in to ${baseUrl}; the key is in ${file}`)
  warnOfEnvironment('is set, and overrides the login')
}

/** Any answer but 401 confirms the key: it may lack the scope for this call. */
async function checkKey({ mayfly, signal }: Client) {
  await mayfly.addresses.list({ limit: 1 }, { signal }).catch((error: { code?: unknown }) => {
    if (error.code !== 'MISSING_SCOPE') throw error
  })
}

function knownUrl() {
  try {
    return readLogin(process.env)?.baseUrl ?? defaultUrl
  } catch {
    return defaultUrl // an unreadable login is about to be replaced
  }
}

function warnOfEnvironment(what: string) {
  for (const name of ['MAYFLY_API_KEY', 'MAYFLY_BASE_URL']) if (process.env[name]) say(`${name} ${what}.`)
}
