/** Every page of the console; what a page is made of is loaded when it is turned to. */
import type { PageRoute } from "./Seat.ts"

export const pages: ReadonlyArray<PageRoute> = [
  {
    path: /^\/console$/,
    title: "Console",
    load: async () => (await import("../home/HomePage.tsx")).HomePage
  }
]
