import { openNodes } from '../support/nodes.ts'
import { signUpMail, useEveryTool } from '../mcp/every-tool.ts'
import { eras, httpTransport, openClient } from '../mcp/mcp-client.ts'

describe('Nodes: MCP', function () {

  it('answer the requests of a client in turn', async () => {
    await using world = await openNodes(2)
    const [a, b] = world.nodes
    for (const era of eras) {
      await using mcp = await openClient(httpTransport([a!.url, b!.url], a!.key), era)
      await useEveryTool(mcp, (to) => b!.send(signUpMail(to)))
    }
  })
})
