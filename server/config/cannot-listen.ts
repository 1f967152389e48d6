import { ConfigError } from './config.ts'

const reasons: Record<string, string | undefined> = {
  EADDRINUSE: 'the address is in use already; choose another port',
  EADDRNOTAVAIL: 'the host has no such address',
  ENOTFOUND: 'the name is not known',
  EACCES: 'that is not allowed',
}

/**
 * Returns a function that converts the error of a listener, and throws it: a ConfigError with the code of the system.
 * @param variables those of the host and the port
 */
export const cannotListen = (variables: [host: string, port: string], { host, port }: { host: string, port: number }) =>
  (error: NodeJS.ErrnoException): never => {
    const reason = reasons[error.code ?? '']
    if (!reason) throw error
    throw Object.assign(new ConfigError(`${variables.join(', ')}: cannot listen at ${host}:${port}, ${reason}`), { code: error.code, cause: error })
  }
