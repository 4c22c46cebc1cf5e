/** What each page of the console is given. */
import type { ComponentType } from "preact"
import type { Capabilities } from "../../http/api/Capabilities.ts"
import type { Desk } from "../Desk.ts"

export interface Seat {
  /** Its `client` signs by itself while the person stays signed in and asks the wallet otherwise: take it anew for each request. */
  readonly desk: Desk
  readonly capabilities: Capabilities
  /** To another page of the console, without a reload: a key in this tab's memory stays. Nowhere once this page was left. */
  readonly go: (path: string) => void
  /** Says what is being done, then what went wrong; one thing is done at a time. */
  readonly run: (doing: string, work: () => Promise<void>) => void
}

export interface PageProps {
  readonly seat: Seat
  readonly path: string
  readonly query: URLSearchParams
}

export interface PageRoute {
  readonly path: RegExp
  readonly title: string
  readonly load: () => Promise<ComponentType<PageProps>>
}
