import { accountGerman } from './features/account/texts.de.ts'
import { addressFormGerman } from './features/addresses/form-texts.de.ts'
import { addressGerman } from './features/addresses/texts.de.ts'
import { adminGerman } from './features/admin/texts.de.ts'
import { analyticsGerman } from './features/analytics/texts.de.ts'
import { auditGerman } from './features/audit/texts.de.ts'
import { deliveryFormsGerman, deliveryGerman, eventsGerman, webhookGerman } from './features/webhooks/texts.de.ts'
import { domainGerman } from './features/domains/texts.de.ts'
import { forwardingGerman } from './features/forwarding/texts.de.ts'
import { keyGerman, scopesGerman } from './features/keys/texts.de.ts'
import { keyboardGerman } from './features/keyboard/texts.de.ts'
import { mailListGerman } from './features/mail-list/texts.de.ts'
import { memberGerman, rolesGerman } from './features/members/texts.de.ts'
import { modesGerman, pagesGerman } from './texts.de.ts'
import { readerGerman } from './features/mail-reader/texts.de.ts'
import { sharingGerman } from './features/sharing/texts.de.ts'
import { sendGerman } from './features/send/texts.de.ts'
import { signInGerman } from './features/sign-in/texts.de.ts'
import { smtpGerman } from './features/smtp/texts.de.ts'
import type { Format } from './language.ts'

/**
 * The German texts, by the names of the English ones: a chunk of its own, which may import nothing else of the pages, since they wait for
 * it.
 */
export const german = (format: Format) => ({
  accountTexts: accountGerman(),
  addressTexts: addressGerman(format),
  adminTexts: adminGerman(),
  analyticsTexts: analyticsGerman(),
  auditTexts: auditGerman(format),
  deliveryFormTexts: deliveryFormsGerman(),
  deliveryTexts: deliveryGerman(format),
  domainTexts: domainGerman(),
  eventTexts: eventsGerman(),
  formTexts: addressFormGerman(),
  forwardingTexts: forwardingGerman(),
  keyTexts: keyGerman(),
  keyboardTexts: keyboardGerman(),
  mailListTexts: mailListGerman(format),
  memberTexts: memberGerman(),
  modeNames: modesGerman(),
  readerTexts: readerGerman(format),
  roleNames: rolesGerman(),
  scopeTexts: scopesGerman(),
  sendTexts: sendGerman(),
  sharingTexts: sharingGerman(),
  signInTexts: signInGerman(),
  smtpTexts: smtpGerman(),
  texts: pagesGerman(format),
  webhookTexts: webhookGerman(format),
})
