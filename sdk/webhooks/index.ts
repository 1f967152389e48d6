/** For receivers of webhooks: `webhooks.verify` for their code, `webhooks.sign` for their tests. */
export { sign } from './sign.ts'
export { verify } from './verify.ts'
