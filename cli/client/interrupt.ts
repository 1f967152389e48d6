import { Interrupted } from '../cli-error.ts'

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * A signal that is aborted with `Interrupted` at SIGINT, SIGTERM and SIGHUP. The process ends a second later in any case.
 * @param onCutOff called when it ends before the work has
 */
export function onInterrupt(onCutOff?: () => void): AbortSignal {
  const controller = new AbortController()
  for (const [name, code] of Object.entries(codes)) {
    process.once(name, () => {
      controller.abort(new Interrupted(code))
      setTimeout(() => {
        onCutOff?.()
        process.exit(code)
      }, 1000).unref()
    })
  }
  return controller.signal
}
