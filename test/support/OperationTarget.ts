/** Where an operation is asked, with its input. */
export const operationTarget = (id: string, input?: unknown, source?: string): string => {
  const query = [
    ...(input === undefined ? [] : [`input=${encodeURIComponent(JSON.stringify(input))}`]),
    ...(source === undefined ? [] : [`source=${source}`])
  ].join("&")
  return `/api/v1/operations/${id}${query === "" ? "" : `?${query}`}`
}
