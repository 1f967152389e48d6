/** What a command ends with when it cannot do what it was asked: a sentence for stderr, and the exit code. */
export class CliError extends Error {
  override readonly name: string = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** The user or the system ended the command. There is nothing to say. */
export class Interrupted extends CliError {
  override readonly name = 'Interrupted'

  constructor(exitCode: number) {
    super('', exitCode)
  }
}
