/** What a soak does, and what of it must stay flat. */

export const defaultMinutes = 10
export const tenths = 10

export const capacitySeconds = 20
/** What is left of the measuring of the capacity is given so long to be worked off. */
export const drainSeconds = 60
/** Of the capacity. */
export const loadShare = 0.7

export const retentionSeconds = 120
/** The least lifetime of an address. */
export const addressLifetimeSeconds = 60
/** From here on as much is removed as comes: addresses go with their mail at their end and a retention later. */
export const warmUpSeconds = addressLifetimeSeconds + retentionSeconds + 20

/** Shares of the kinds of mail, in the order of bench/mails.ts: small, a newsletter, one with an attachment. */
export const mailShares = [0.9, 0.08, 0.02]

/** Sessions that send mail, and addresses that it goes to. One address a second is replaced. */
export const sessions = 20
export const addresses = 20
export const addressEveryMs = 1_000

/** Mails from one of these requests to the next. */
export const mailsPerList = 10
export const mailsPerGet = 5
export const mailsPerChange = 20
export const mailsPerSearch = 20

/** Addresses at which somebody waits, and how long for each mail. */
export const waiters = 3
export const waitSeconds = 5
export const waitEveryMs = 500
