import * as first from './0001-accounts-addresses-mail.ts'

/** Forward only, in this order; an applied one is never edited. */
export const migrations: { name: string, statements: string[] }[] = [
  { name: '0001-accounts-addresses-mail', statements: first.statements },
]
