/** Where the person is in the console: the address, the titles, the navigation, and the way to another page without a reload. */

export interface Titled {
  readonly path: RegExp
  readonly title: string
}

const SITE = document.title.split(" · ").at(-1) ?? ""

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey

/** Where a click leads within the console; undefined for what the browser does itself. */
const targetOf = (event: MouseEvent): URL | undefined => {
  const link = event.target instanceof Element ? event.target.closest("a") : null
  if (link === null || link.target !== "" || link.hasAttribute("download") || !isPlainClick(event)) return
  const to = new URL(link.href)
  const isHere = to.origin === location.origin && /^\/console(?:\/|$)/.test(to.pathname)
  return isHere && (to.pathname !== location.pathname || to.search !== location.search) ? to : undefined
}

const sectionOf = (path: string): string | undefined => /^\/console(?:\/[a-z]+)?/.exec(path)?.[0]

const markSection = (): void => {
  for (const link of document.querySelectorAll("nav.console a"))
    if (link.getAttribute("href")?.split("#")[0] === sectionOf(location.pathname))
      link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
}

const announce = (title: string, moved: boolean): void => {
  document.title = `${title} · ${SITE}`
  const heading = document.querySelector("h1")
  if (heading === null) return
  heading.textContent = title
  heading.tabIndex = -1
  if (moved) heading.focus()
}

export class Navigation<Page extends Titled> {
  readonly #pages: ReadonlyArray<Page>
  readonly #turned: (page: Page) => void
  #shown: string | undefined
  #account: string | undefined

  constructor(pages: ReadonlyArray<Page>, turned: (page: Page) => void) {
    this.#pages = pages
    this.#turned = turned
    document.addEventListener("click", event => {
      const to = event.defaultPrevented ? undefined : targetOf(event)
      if (to === undefined) return
      event.preventDefault()
      this.go(`${to.pathname}${to.search}${to.hash}`)
    })
    addEventListener("popstate", () => this.turn())
  }

  /** Named in every address from now on, so that it can be opened in another tab. */
  nameAccount(account: string): void {
    this.#account = account
    if (!location.hash.includes(account)) history.replaceState(null, "", this.#hash)
    this.#nameInLinks()
  }

  go(to: string): void {
    history.pushState(null, "", to.includes("#") ? to : `${to}${this.#hash}`)
    this.turn()
  }

  /** To the page of the present address, where it is not shown already. */
  turn(): void {
    const here = `${location.pathname}${location.search}`
    if (here === this.#shown) return
    const page = this.#pages.find(({ path }) => path.test(location.pathname))
    const moved = this.#shown !== undefined
    if (page === undefined) {
      if (moved) location.reload()
      return
    }
    this.#shown = here
    this.#nameInLinks()
    markSection()
    announce(page.title, moved)
    this.#turned(page)
  }

  get #hash(): string {
    return this.#account === undefined ? "" : `#account=${this.#account}`
  }

  #nameInLinks(): void {
    for (const link of document.querySelectorAll("nav.console a"))
      link.setAttribute("href", `${link.getAttribute("href")?.split("#")[0]}${this.#hash}`)
  }
}
