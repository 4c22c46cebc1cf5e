/** A request's trace bears the request's own id, so that either finds the other. */
export const traceIdOf = (requestId: string): string => requestId.replaceAll("-", "")
