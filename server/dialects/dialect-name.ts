/** A dialect of the API: `classic` is the one of openapi/classic.overlay.yaml. */
export type DialectName = 'primary' | 'classic'
