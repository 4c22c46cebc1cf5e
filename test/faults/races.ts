/** Races requests over several replicas and checks that each race has one winner where there may be only one. */
import { chosen, options, whole } from "./Options.ts"
import { RACES, RACES_OF_SESSIONS, runRaces } from "./races/Campaign.ts"
import { OPERATION_KINDS } from "./races/OperationKinds.ts"
import { REVOCATION_KINDS } from "./races/RevocationKinds.ts"
import { SPONSORED_KINDS } from "./races/SponsoredKinds.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run races -- [--attempts 5000] [--replicas 3] [--seed N] [--at-once 24] [--sponsored | --transports | --operations | --sessions | --revocation]

Races several requests at once over replicas with one PostgreSQL and nodes and a provider that answer at once:
${Object.keys(RACES).join(", ")}.
Each race is checked as it ends, the invariants over all of them at the end. Appends a line to RELIABILITY.json; ends with 1
when anything is broken.

  --attempts  how many races (soak size: 1000000)
  --sponsored only those of sponsorships (CI size: 2000, soak size: 300000)
  --transports only those of one step for two transports
  --operations only those of user operations, on a local chain (CI size: 2000, soak size: 300000):
              ${Object.keys(OPERATION_KINDS).join(", ")}
  --sessions  only those of sessions and their operations, there too (CI size: 2000, soak size: 300000):
              ${Object.keys(RACES_OF_SESSIONS).join(", ")}
  --revocation only those of a revocation against an operation in flight (2000)
  --seed      chooses each lane's races, keys and order of replicas; printed, random when absent
  --replicas  processes that serve
  --at-once   races that go on at once, each over an account of its own

A seed repeats what each lane asks and of whom. What it cannot repeat is which of the requests arrives first.
`

const {
  seed,
  attempts,
  replicas,
  "at-once": atOnce,
  sponsored,
  transports,
  operations,
  sessions,
  revocation
} = options(HELP, {
  attempts: whole(5_000, 1, 1e8),
  replicas: whole(3, 1, 64),
  "at-once": whole(24, 1, 1_000),
  sponsored: chosen,
  transports: chosen,
  operations: chosen,
  sessions: chosen,
  revocation: chosen
})
console.log(`seed ${seed}: ${attempts} races, ${replicas} replicas, ${atOnce} at once`)
const { twoTransports } = SPONSORED_KINDS
const sponsorings = sponsored ? SPONSORED_KINDS : RACES
const ofOne = transports ? { twoTransports } : sponsorings
const ofSessions = revocation ? REVOCATION_KINDS : RACES_OF_SESSIONS
const ofWallets = sessions || revocation ? ofSessions : OPERATION_KINDS
const races = operations || sessions || revocation ? ofWallets : ofOne
reportAndExit(await runRaces({ seed, attempts, replicas, atOnce, races, say: line => console.log(line) }))
