/** All that is shown of sessions, loaded together with the first of it. */
import { SessionEditor } from "./SessionEditor.tsx"
import { OneSession } from "./SessionPage.tsx"
import { SessionsPage } from "./SessionsPage.tsx"

const page = (path: string) => {
  if (path.endsWith("/sessions")) return SessionsPage
  return path.endsWith("/new") ? SessionEditor : OneSession
}

export const sessionViews = { page }
