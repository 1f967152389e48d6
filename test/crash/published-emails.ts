import { call } from './server.ts'

export interface PublishedEmail {
  id: string
  subject: string
}

/** Lists emails until all accepted ones are there, or the list has not grown for 20 seconds: other
 * nodes take the jobs of a killed one over after 15. Long mails are published one by one. */
export async function publishedEmails(url: string, key: string, addressId: string, accepted: Set<string>): Promise<PublishedEmail[]> {
  let grownAt = Date.now()
  let emails: PublishedEmail[] = []
  while (Date.now() - grownAt < 20_000) {
    const found = await listAll()
    if (found.length > emails.length) grownAt = Date.now()
    emails = found
    const subjects = new Set(emails.map(({ subject }) => subject))
    if ([...accepted].every((subject) => subjects.has(subject)) && Date.now() - grownAt > 300) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return emails

  async function listAll() {
    const all: PublishedEmail[] = []
    let last: PublishedEmail | undefined
    do {
      const page = await call(url, key, `/emails?address_id=${addressId}&limit=100${last ? `&before=${last.id}` : ''}`) as { data: PublishedEmail[] }
      all.push(...page.data)
      last = page.data.length === 100 ? page.data.at(-1) : undefined
    } while (last)
    return all
  }
}

/** Compares accepted with published mail. */
export function compareSubjects(accepted: Set<string>, emails: PublishedEmail[]): { lost: string[], repeated: string[] } {
  const published = new Set<string>()
  const repeated: string[] = []
  for (const { subject } of emails) {
    if (published.has(subject)) repeated.push(subject)
    published.add(subject)
  }
  return { lost: [...accepted].filter((subject) => !published.has(subject)), repeated }
}
