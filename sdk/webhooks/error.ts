import { MayflyError } from '../errors.ts'

/** What came is not a delivery of Mayfly with this secret, or not a fresh one. Answer it with 400 and do nothing. */
export class WebhookVerificationError extends MayflyError {
  // no static block, which bundlers would keep for those who verify nothing
  override get name() {
    return 'WebhookVerificationError'
  }
}
