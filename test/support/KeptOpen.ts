/** For servers of tests: a connection that is closed while a request is on its way loses what was sent on it, so none is closed for being idle. */
export const keptOpen = { keepAliveTimeout: 0 } as const
