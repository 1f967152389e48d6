/** A text as PostgreSQL stores it: it has no NUL character. */
export const withoutNul = (text: string): string => text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
