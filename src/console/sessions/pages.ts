/** The pages of sessions: which of them it is, is said where they are loaded. */
import type { PageRoute } from "../app/Seat.ts"
import "./sessions.css"

const load = async () => (await import("./SessionViews.ts")).sessionViews.page(location.pathname)

export const sessionPages: ReadonlyArray<PageRoute> = [
  { path: /^\/console\/sessions\/new$/, title: "Prepare a session", load },
  { path: /^\/console\/sessions\/./, title: "Session", load },
  { path: /^\/console\/sessions$/, title: "Sessions", load }
]
