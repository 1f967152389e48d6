/** The step of action.yml, on any Node from version 20 on: runs a script with a server, starts one for the later steps, or stops that. */
import { execSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { ACTION_RUN: script = '', ACTION_STOP: isStop, GITHUB_ENV: env, GITHUB_OUTPUT: output, RUNNER_TEMP: temporary = tmpdir() } = process.env
const root = fileURLToPath(new URL('../..', import.meta.url))
const mails = join(temporary, 'mayfly-mails')
const folder = ['--folder', join(temporary, 'mayfly')]

if (!existsSync(join(root, 'node_modules', 'commander'))) execSync('npm ci --omit=dev', { cwd: root, stdio: 'inherit' })
process.exitCode = isStop === 'true' ? stop() : script.trim() === '' ? start() : run()

function run() {
  const { status } = mayfly(['run', '--keep', mails, '--', 'bash', '-eo', 'pipefail', '-c', script])
  tellMails()
  return status
}

function start() {
  const { status, stdout } = mayfly(['start', '--json', '--write-env', env, ...folder], 'pipe')
  if (status !== 0) return status
  const { variables } = JSON.parse(stdout)
  console.log(`::add-mask::${variables.MAYFLY_API_KEY}`)
  console.log(`The server is at ${variables.MAYFLY_BASE_URL}, and takes mail at ${variables.SMTP_URL}`)
  appendFileSync(output, `base-url=${variables.MAYFLY_BASE_URL}\nsmtp-url=${variables.SMTP_URL}\n`)
  return 0
}

function stop() {
  const { status } = mayfly(['stop', '--keep', mails, ...folder])
  tellMails()
  return status
}

function tellMails() {
  if (existsSync(mails)) appendFileSync(output, `mails=${mails}\n`)
}

function mayfly(args, stdout = 'inherit') {
  const { status, error, ...result } = spawnSync(process.execPath, [join(root, 'cli', 'mayfly.js'), ...args], {
    stdio: ['inherit', stdout, 'inherit'], encoding: 'utf8',
  })
  if (error) throw error
  return { ...result, status: status ?? 1 }
}
