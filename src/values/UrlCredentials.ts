/** The name and password of a URL as a header: `fetch` takes no URL that has them. */
export const withoutCredentials = (given: URL) => {
  const url = new URL(given)
  const bytes = `${url.username}:${url.password}`.replace(/%([0-9a-f]{2})/gi, (_, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16))
  )
  url.username = ""
  url.password = ""
  const headers: Readonly<Record<string, string>> =
    bytes === ":" ? {} : { authorization: `Basic ${btoa(bytes)}` }
  return { url: url.href, headers }
}
