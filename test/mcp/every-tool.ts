import { expect } from 'chai'
import { catalog } from '../../mcp/catalog.ts'
import type { McpClient } from './mcp-client.ts'

export const signUpMail = (to: string) => ({
  from: 'Shop <no-reply@shop.example>', to, subject: 'Confirm your address',
  text: 'Your confirmation code is 482913.\nOr follow https://shop.example/confirm?t=Zk3v9',
})

/** Lists all tools, calls each, and reads the email as a resource. @param signUp makes a website send the mail to an address */
export async function useEveryTool({ client, call, read }: McpClient, signUp: (address: string) => Promise<unknown>): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).to.deep.equal(Object.keys(catalog))
  const annotationsOf = (wanted: string) => tools.find(({ name }) => name === wanted)!.annotations
  expect(annotationsOf('read_email')).to.include({ readOnlyHint: true, destructiveHint: false })
  expect(annotationsOf('delete_inbox')).to.include({ readOnlyHint: false, destructiveHint: true })

  const { id, address: inbox } = await call('create_inbox', { expiresIn: 600 })
  await signUp(inbox)
  const { code, emailId } = await call('wait_for_code', { inbox })
  expect(code).to.equal('482913')
  expect(await call('wait_for_link', { inbox, url: '/confirm' })).to.include({ url: 'https://shop.example/confirm?t=Zk3v9', emailId })
  expect((await call('wait_for_email', { inbox: id, from: 'shop.example', subject: 'confirm', body: 'CODE' })).email).to.include({ id: emailId, from: 'no-reply@shop.example' })
  expect((await call('list_emails', { inbox, type: 'received', limit: 5 })).emails).to.have.length(1)
  expect(await call('search_emails', { inbox, query: 'confirmation has:code' })).to.include({ total: 1, hasMore: false })
  expect((await call('read_email', { emailId })).email).to.deep.include({ id: emailId, codes: ['482913'], isTruncated: false })
  const sent = await call('send_email', { inbox, to: 'support@shop.example', subject: 'Hello', body: 'Where is my order?' })
  expect((await call('read_email', { emailId: sent.id })).email).to.include({ type: 'sent', subject: 'Hello' })
  const reply = await call('reply_to_email', { emailId, body: 'That was not me.' })
  expect((await call('read_email', { emailId: reply.id })).email).to.include({ type: 'sent', to: 'no-reply@shop.example', subject: 'Re: Confirm your address' })

  expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal(['mayfly://emails/{id}'])
  const { contents } = await client.readResource({ uri: `mayfly://emails/${emailId}` })
  expect(contents).to.deep.equal([{ uri: `mayfly://emails/${emailId}`, mimeType: 'text/plain', text: (await read('read_email', { emailId })).text }])

  expect(await call('delete_inbox', { inbox })).to.deep.equal({ id, deleted: true })
  expect(await read('delete_inbox', { inbox })).to.include({ isError: true })
}
