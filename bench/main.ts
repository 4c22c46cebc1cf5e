/** `npm run bench <name> [--quick]`: measures against a baseline of the same run and prints ratios and bars. */
const benches: Readonly<Record<string, () => Promise<{ readonly run: (quick: boolean) => Promise<void> }>>> =
  {
    auth: () => import("./auth.ts"),
    discovery: () => import("./discovery.ts"),
    verify: async () => {
      const { run } = await import("./verify.ts")
      return {
        run: async () => {
          await run()
        }
      }
    }
  }

const [name = "", ...flags] = process.argv.slice(2)
const load = benches[name]
if (load === undefined) {
  process.stderr.write(`Usage: npm run bench ${Object.keys(benches).join("|")} [-- --quick]\n`)
  process.exit(2)
}
const { run } = await load()
await run(flags.includes("--quick"))
