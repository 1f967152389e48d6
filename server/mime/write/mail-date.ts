/** The date of a header field (RFC 5322, section 3.3). @param time milliseconds since 1970 */
export const mailDate = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000')
