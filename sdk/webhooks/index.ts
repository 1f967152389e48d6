/** What a receiver of webhooks needs: `webhooks.verify` for its work, `webhooks.sign` for its tests. */
export { sign } from './sign.ts'
export { verify } from './verify.ts'
