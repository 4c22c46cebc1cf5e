export interface Entry {
  readonly status: number
  readonly retryable: boolean
  readonly sentence: string
}

export const entry = (
  status: number,
  sentence: string,
  retryable = [429, 502, 503, 504].includes(status)
): Entry => ({
  status,
  retryable,
  sentence
})
