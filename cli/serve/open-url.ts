import { spawn } from 'node:child_process'

/** Opens a URL in the browser of this machine. @returns whether a program for it could be started */
export function openUrl(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false)).once('exit', (code) => resolve(code === 0))
    child.unref() // xdg-open may become the browser itself
    setTimeout(resolve, maxOpeningMs, true).unref()
  })
}

/** Time after which a program that still runs is a browser. */
const maxOpeningMs = 2_000

const openers: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }
