/** What is no URL is undefined. Not `URL.canParse`, which in Node 20 refuses Latin-1 hosts once it is compiled. */
export const parsedUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
