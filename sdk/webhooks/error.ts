import { MayflyError } from '../core/errors.ts'

/** The request is not a delivery that Mayfly signed with this secret, or it is too old. Answer it with 400 and ignore it. */
export class WebhookVerificationError extends MayflyError {
  // no static block: bundlers would keep it in programs that do not use this class
  override get name() {
    return 'WebhookVerificationError'
  }
}
