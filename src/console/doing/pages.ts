/** The pages on which an operation is chosen and filled in. */
import type { PageRoute } from "../app/Seat.ts"

export const doingPages: ReadonlyArray<PageRoute> = [
  {
    path: /^\/console\/do$/,
    title: "Do",
    load: async () => (await import("./OperationsPage.tsx")).OperationsPage
  },
  {
    path: /^\/console\/do\/[a-z0-9_]{1,64}$/,
    title: "Do",
    load: async () => (await import("./OperationPage.tsx")).OperationPage
  }
]
