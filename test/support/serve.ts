import { serveCommand } from '../../cli/commands/serve.ts'

/** `mayfly serve` without the other commands, for `server-build.ts`. */
await serveCommand().parseAsync([], { from: 'user' })
