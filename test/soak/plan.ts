/** The constants of `npm run soak`. */

export const defaultMinutes = 10
export const tenths = 10

export const capacitySeconds = 20
/** Maximum seconds to finish the work that is left after measuring the capacity. */
export const drainSeconds = 60
/** The load, as a share of the capacity. */
export const loadShare = 0.7

export const retentionSeconds = 120
/** The least lifetime of an address. */
export const addressLifetimeSeconds = 60
/** After this time, as much is removed as arrives: addresses are removed with their mail one retention after they expire. */
export const warmUpSeconds = addressLifetimeSeconds + retentionSeconds + 20

/** Shares of the kinds of mail, in the order of bench/mails.ts: small, a newsletter, one with an attachment. */
export const mailShares = [0.9, 0.08, 0.02]

/** Sessions that send mail, and addresses that it goes to. One address a second is replaced. */
export const sessions = 20
export const addresses = 20
export const addressEveryMs = 1_000

/** Number of mails per request of each kind. */
export const mailsPerList = 10
export const mailsPerGet = 5
export const mailsPerChange = 20
export const mailsPerSearch = 20

/** Addresses with a waiting request, its time limit, and the time until its mail is sent. */
export const waiters = 3
export const waitSeconds = 5
export const waitEveryMs = 500
