/** Every page of the console; what a page is made of is loaded when it is turned to. */
import { doingPages } from "../doing/pages.ts"
import { projectPages } from "../projects/pages.ts"
import { sessionPages } from "../sessions/pages.ts"
import { walletPages } from "../wallets/pages.ts"
import type { PageRoute } from "./Seat.ts"

const home: PageRoute = {
  path: /^\/console$/,
  title: "Console",
  load: async () => (await import("../home/HomePage.tsx")).HomePage
}

const plans: PageRoute = {
  path: /^\/console\/plans$/,
  title: "Plans",
  load: async () => (await import("../plans/PlansPage.tsx")).PlansPage
}

const sponsorship: PageRoute = {
  path: /^\/console\/sponsorships\/[0-9a-f-]{36}$/,
  title: "Sponsorship",
  load: async () => (await import("../sponsorships/SponsorshipReview.tsx")).SponsorshipReview
}

const bots: PageRoute = {
  path: /^\/console\/bots$/,
  title: "Bots",
  load: async () => (await import("../accounts/BotsPage.tsx")).BotsPage
}

const profile: PageRoute = {
  path: /^\/console\/profile$/,
  title: "Profile",
  load: async () => (await import("../accounts/ProfilePage.tsx")).ProfilePage
}

export const pages: ReadonlyArray<PageRoute> = [
  home,
  ...doingPages,
  plans,
  sponsorship,
  ...walletPages,
  ...sessionPages,
  ...projectPages,
  bots,
  profile
]
