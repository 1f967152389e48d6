import { call } from './server.ts'

/** Lists emails until all accepted ones are there, or the list has not grown for five seconds. Long mails are published one by one. */
export async function publishedSubjects(url: string, key: string, addressId: string, accepted: Set<string>): Promise<string[]> {
  let grownAt = Date.now()
  let subjects: string[] = []
  while (Date.now() - grownAt < 5_000) {
    const found = await listAll()
    if (found.length > subjects.length) grownAt = Date.now()
    subjects = found
    if ([...accepted].every((subject) => subjects.includes(subject)) && Date.now() - grownAt > 300) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return subjects

  async function listAll() {
    const all: string[] = []
    let last: { id: string, subject: string } | undefined
    do {
      const page = await call(url, key, `/emails?address_id=${addressId}&limit=100${last ? `&before=${last.id}` : ''}`) as
        { data: { id: string, subject: string }[] }
      all.push(...page.data.map(({ subject }) => subject))
      last = page.data.length === 100 ? page.data.at(-1) : undefined
    } while (last)
    return all
  }
}
