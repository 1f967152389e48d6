import type { SendMailOptions } from 'nodemailer'
import type { Locator, Page } from 'playwright-core'
import { openMail } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

/** The row of a mail in the list. */
export const mailRow = (page: Page, subject: string): Locator =>
  page.getByRole('listitem').filter({ has: page.locator('[data-mail]'), hasText: subject })

export const sendTo = ({ app }: Dashboard, to: string, subject: string): Promise<void> => app.send({ to, subject, text: `The text of ${subject}.` })

/**
 * Shows a new address with mails of these subjects, the last one at the top.
 * @returns the address, and the ids of its mails in the order of the subjects
 */
export async function openAddress(dashboard: Dashboard, page: Page, ...subjects: string[]) {
  const { id, address } = await dashboard.app.newAddress()
  for (const subject of subjects) await sendTo(dashboard, address, subject)
  const ids = (await dashboard.app.listEmails({ address_id: id })).map((email) => email.id).reverse()
  await page.goto(`${dashboard.url}/mail/${id}`)
  if (subjects.length > 0) await mailRow(page, subjects[0]!).waitFor()
  return { id, address, ids }
}

/** Sends a mail, opens it, and waits for the part that the reader shows first. */
export async function openPart(dashboard: Dashboard, page: Page, mail: SendMailOptions, part = 'Preview') {
  await openMail(dashboard, page, { subject: 'Costly', ...mail })
  await page.getByRole('tabpanel', { name: part }).waitFor()
}
