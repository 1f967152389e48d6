/** The failure of a command: a message for stderr, and the exit code. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The user or the system ended the command. Nothing is printed. */
export class Interrupted extends CliError {
  override readonly name = 'Interrupted'

  constructor(exitCode: number) {
    super('', exitCode)
  }
}
