import Router from '@koa/router'

/** Routes of paths that are no operations: paths are compared as they are, in their case and with a final slash. */
export const pageRouter = () => new Router({ sensitive: true, strict: true })
