/** `npm run bench <name> [--quick]`: measures against a baseline of the same run and prints ratios and bars. */
import { run as auth } from "./auth.ts"
import { run as discovery } from "./discovery.ts"
import { run as flood } from "./flood.ts"
import { run as footprint } from "./footprint.ts"
import { run as growth } from "./growth.ts"
import { run as operations } from "./operations.ts"
import { run as reads } from "./reads.ts"
import { run as relay } from "./relay.ts"
import { run as sessions } from "./sessions.ts"
import { run as sponsorship } from "./sponsorship.ts"
import { sayYardstick } from "./support/Yardstick.ts"
import { run as verify } from "./verify.ts"

/** The whole way of a request: the signature alone while the machine is rested, then with a signature and without one. */
const requests = async (quick: boolean) => {
  await verify()
  await auth(quick)
  await discovery(quick)
}

const benches: Readonly<Record<string, (quick: boolean) => Promise<unknown>>> = {
  auth: requests,
  discovery,
  flood,
  footprint,
  growth,
  operations,
  reads,
  relay,
  sessions,
  sponsorship,
  verify
}

const [name = "", ...flags] = process.argv.slice(2)
const usage = `Usage: npm run bench ${Object.keys(benches).join("|")} [-- --quick]\n`
if ([name, ...flags].includes("--help")) {
  process.stdout.write(usage)
  process.exit(0)
}
const run = benches[name]
if (run === undefined) {
  process.stderr.write(usage)
  process.exit(2)
}
sayYardstick("before")
await run(flags.includes("--quick"))
sayYardstick("after")
