/** The pages on which projects are found and looked at, and what a wallet did with them. */
import "./projects.css"
import type { PageRoute } from "../app/Seat.ts"

export const projectPages: ReadonlyArray<PageRoute> = [
  {
    path: /^\/console\/projects$/,
    title: "Projects",
    load: async () => (await import("./SearchPage.tsx")).SearchPage
  },
  {
    path: /^\/console\/projects\/[1-9][0-9]{0,15}\/[1-9][0-9]{0,77}$/,
    title: "Project",
    load: async () => (await import("./ProjectPage.tsx")).ProjectPage
  },
  {
    path: /^\/console\/activity$/,
    title: "Activity",
    load: async () => (await import("./ActivityPage.tsx")).ActivityPage
  }
]
