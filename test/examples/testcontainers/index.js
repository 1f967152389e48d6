/** Stands for the package testcontainers on a machine without Docker: a container is a process of the program CONTAINER_PROGRAM. */
import { spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

export const Wait = { forHttp: (path, port) => ({ path, port }) }

export class GenericContainer {
  withEnvironment(variables) {
    this.variables = variables
    return this
  }

  withExposedPorts(...ports) {
    this.ports = ports
    return this
  }

  withWaitStrategy(strategy) {
    this.strategy = strategy
    return this
  }

  async start() {
    const { CONTAINER_PROGRAM: program, PATH, ...own } = process.env
    const fixed = Object.fromEntries(Object.entries(own).filter(([name]) => /^(MAYFLY_|NODE_COMPILE_CACHE)/.test(name)))
    const child = spawn(process.execPath, JSON.parse(program), { env: { PATH, ...fixed, ...this.variables }, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    let log = ''
    child.stdout.setEncoding('utf8').on('data', (text) => { log += text })
    const portOf = (port) => Number(new RegExp(port === 3000 ? '"http":"[^"]*:(\\d+)"' : '"smtp":"[^"]*:(\\d+)"').exec(log)[1])
    while (!log.includes('"event":"listening"')) await setTimeout(20)
    const { path, port } = this.strategy
    while (!(await fetch(`http://127.0.0.1:${portOf(port)}${path}`)).ok) await setTimeout(20)
    const { ports } = this
    return {
      getHost: () => '127.0.0.1',
      getMappedPort(port) {
        if (!ports.includes(port)) throw new Error(`The port ${port} is not exposed`)
        return portOf(port)
      },
      logs: async () => (async function* () { yield log })(),
      async stop() {
        child.kill()
        await ended
      },
    }
  }
}
