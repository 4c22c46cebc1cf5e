/** Scenarios that one test file plays, and what the sandbox does otherwise in them: by name, with a reason. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Difference, type Prepare, play } from "./play/Player.ts"
import { startWorld, type World } from "./play/World.ts"
import { type Recording, recordingOf } from "./Recording.ts"

/** Steps of a scenario by their index. */
interface Named {
  readonly scenario: string
  readonly steps: ReadonlyArray<number>
  readonly reason: string
}

/** Calls of what the sandbox leaves out, as its README says, and what follows from them alone: not compared at all. */
export type LeftOut = Named

/** Something that is no money: an amount, a balance, and whether a call succeeds, may not be in such a list. */
export interface Otherwise extends Named {
  readonly aspect: "result" | "revert" | "events"
  /** Where the difference begins, as the test prints it. */
  readonly at: string
}

export interface Family {
  readonly scenarios: ReadonlyArray<string>
  readonly leftOut: ReadonlyArray<LeftOut>
  readonly otherwise: ReadonlyArray<Otherwise>
  readonly prepare?: Prepare
}

const isNumber = (value: unknown): boolean => typeof value === "string" && /^-?\d+$/.test(value)

const covers = (entry: Named, scenario: string, step: number): boolean =>
  entry.scenario === scenario && entry.steps.includes(step)

const isExcused = (entry: Otherwise, { aspect, at, recorded, actual }: Difference): boolean =>
  entry.aspect === aspect && at.startsWith(entry.at) && !(isNumber(recorded) && isNumber(actual))

const text = (value: unknown): string => JSON.stringify(value)?.slice(0, 200) ?? "nothing"

const toldOf = ({ steps }: Recording, { step, aspect, at, recorded, actual }: Difference): string => {
  const played = steps[step]
  const call =
    played !== undefined && "function" in played
      ? `${played.contract}.${played.function.split("(")[0]}`
      : played?.kind
  const note = played?.note === "" ? "" : ` (${played?.note})`
  return `${step} ${call}${note}: ${aspect} ${at}: recorded ${text(recorded)}, here ${text(actual)}`
}

/** What is in no list, and what is in one but did not come. */
export const unexplained = (
  family: Family,
  recording: Recording,
  differences: ReadonlyArray<Difference>
): ReadonlyArray<string> => {
  const { scenario } = recording
  const entries = [...family.leftOut, ...family.otherwise].filter(entry => entry.scenario === scenario)
  const used = new Set<string>()
  const use = (entry: Named, step: number) => used.add(`${entries.indexOf(entry)}:${step}`)
  const others = differences.filter(difference => {
    const { step } = difference
    const left = family.leftOut.find(entry => covers(entry, scenario, step))
    const otherwise = family.otherwise.find(
      entry => covers(entry, scenario, step) && isExcused(entry, difference)
    )
    for (const entry of [left, otherwise]) if (entry !== undefined) use(entry, step)
    return left === undefined && otherwise === undefined
  })
  const unused = entries.flatMap((entry, index) =>
    entry.steps
      .filter(step => !used.has(`${index}:${step}`))
      .map(step => `${step} is as recorded, though "${entry.reason}"`)
  )
  return [...others.map(difference => toldOf(recording, difference)), ...unused]
}

const nothing: Prepare = async () => {}

/** The declaration of a family's test file. */
export const describeFamily = (name: string, family: Family) =>
  describe(`on the sandbox, ${name}`, () => {
    let world: World
    beforeAll(async () => {
      world = await startWorld()
    })
    afterAll(() => world.stop())

    it.each(family.scenarios)("%s goes as recorded", async scenario => {
      const recording = recordingOf(scenario)
      const differences = await play(world, recording, family.prepare ?? nothing)
      assert.deepStrictEqual(unexplained(family, recording, differences), [])
    })
  })
