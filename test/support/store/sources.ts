import type { TestApp } from '../app.ts'

/** The sources of the outgoing mails to a recipient, the oldest first. */
export async function sourcesOf({ app }: TestApp, recipient: string): Promise<string[]> {
  const rows = await app.db.sql.selectFrom('deliveries').innerJoin('messages', 'messages.id', 'deliveries.message_id')
    .select('source').where('recipient', '=', recipient).orderBy('deliveries.id').execute()
  return rows.map(({ source }) => Buffer.from(source!).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='))
}
