// This file is made from the document by `npm run generate`

/** The members of answers and events that are times, wherever they stand. */
export const times = ["createdAt","day","disabledAt","dueAt","expiresAt","lastEmailAt","receivedAt","sentAt","verifiedAt"]

/** Those that hold members of any name. */
export const maps = ["headers"]
