/** The members of each schema of the contract that tools take or return: `npm run generate` makes `shapes.gen.ts` of them. */
export const picks = {
  AddressCreate: ['alias', 'domain', 'expiresIn', 'allowedSenders'],
  AddressCreated: ['id', 'address', 'expiresAt'],
  CodeDetail: ['expiresInSeconds', 'boundTo'],
  Deleted: ['id', 'deleted'],
  Email: [
    'id', 'addressId', 'type', 'from', 'fromName', 'to', 'subject', 'bodyText', 'receivedAt', 'attachments', 'codes', 'codeDetails', 'links',
    'hiddenText', 'warnings', 'status', 'failureReason',
  ],
  EmailReference: ['id'],
  EmailSend: ['to', 'cc', 'subject', 'body', 'bodyHtml'],
  EmailSummary: ['id', 'addressId', 'type', 'from', 'fromName', 'to', 'subject', 'preview', 'receivedAt', 'isRead', 'hasAttachments', 'codes'],
} as const
