/** Hours of everything at once, with faults and kills, and the memory of a process that lives through them. */
import { options, whole } from "./Options.ts"
import { runSoak } from "./soak/Campaign.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run soak -- [--minutes 120] [--acts 30] [--seed N]

Three processes of the service over one PostgreSQL, one local chain, one provider and one bundler: wallets and bots relay, are sponsored,
act by user operations and under sessions, all at the same time and without end. Two of the processes are killed now and then and
replaced; node, bundler, provider and connections to the database break at random. In the end everything has to be as in
npm run crash, and the third process may not have grown: less than 1 MB of live memory an hour (of runs of an hour or
more), and four descriptors at most. Prints a line a minute and appends one to RELIABILITY.json; ends with 1 when anything is broken.

  --minutes  how long (default 120)
  --acts     how many are begun a minute: half of them direct, a fifth sponsored, a fifth operations, a tenth sessions (default 30)
  --seed     chooses who does what, what breaks and who dies; printed, random when absent

A seed repeats all choices. What it cannot repeat is the interleaving.
`

const sizes = options(HELP, { minutes: whole(120, 1, 10_000), acts: whole(30, 1, 600) })

console.log(`seed ${sizes.seed}: ${sizes.minutes} minutes, ${sizes.acts} acts a minute`)
reportAndExit(await runSoak({ ...sizes, say: line => console.log(line) }))
