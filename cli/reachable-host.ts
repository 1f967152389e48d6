/** The address to connect to on this machine: a wildcard address such as 0.0.0.0 is reached at the loopback address. */
export const reachableHost = (host: string): string => host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
