import { defineConfig } from "vitest/config"
import { LongestFirst } from "./test/support/LongestFirst.ts"
import { takeMemoryRoom } from "./test/support/MemoryRoom.ts"

takeMemoryRoom()

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Only where nothing is watched do the sources stay what they were when a program was built of them.
    env: process.argv.includes("run") ? { SUITE_RUN: `${process.pid} ${Date.now()}` } : {},
    globalSetup: ["test/support/globalSetup.ts"],
    setupFiles: ["test/support/perFile.ts"],
    // What a command said is read whole where it was another word than expected.
    chaiConfig: { truncateThreshold: 0 },
    testTimeout: 90_000,
    hookTimeout: 240_000,
    pool: "forks",
    // Loading the modules anew for each file takes longer than most of the tests.
    // All of them stay to the end: a worker that is let go while the run ends can fail the whole of it.
    // Five keep two cores at work, since a worker waits more than half of its time for a deadline, a node or a database.
    poolOptions: { forks: { minForks: 5, maxForks: 5, isolate: false } },
    sequence: { sequencer: LongestFirst }
  }
})
