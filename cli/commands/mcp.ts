import { Command } from 'commander'
import { readVersion } from '../../server/version.ts'
import { asClient } from '../client/as-client.ts'
import { urlOption, withExamples } from '../client/options.ts'

export function mcpCommand(): Command {
  return withExamples(new Command('mcp'), [
    'mayfly mcp',
    `{ "mcpServers": { "mayfly": { "command": "mayfly", "args": ["mcp"], "env": { "MAYFLY_API_KEY": "svc_live_…" } } } }`,
  ])
    .addOption(urlOption())
    .action((options: { url?: string }) => asClient(options, async ({ mayfly, signal }) => {
      const { serveMcpOnStdio } = await import('../../mcp/stdio.ts')
      await serveMcpOnStdio({ mayfly, version: readVersion(), signal })
    }))
}
