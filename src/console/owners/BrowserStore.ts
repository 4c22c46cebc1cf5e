/** The browser's own store, which it may deny a page. */
export const inStore = <Result>(work: (storage: Storage) => Result): Result | undefined => {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}
