/** The form of a predicate: which call of which contract it is for, and how it judges the logs of its receipt. */
import { Either, Option, Schema } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import type { Address } from "../values/Scalars.ts"
import type { Emitter, EventFields } from "./Events.ts"
import { doubted, type Verdict } from "./Judgement.ts"

export interface PublishedContract extends Emitter {
  readonly retired: boolean
}

export interface Scene<Args> {
  /** From the calldata, by the names of the ABI. */
  readonly args: Args
  readonly chainId: number
  readonly value: string
  /** The planned wallet. */
  readonly account: Address
  readonly target: Emitter
  /** What the plan keeps of its preparation. */
  readonly summary: unknown
  /** By rising index. */
  readonly logs: ReadonlyArray<RawLog>
  /** The deployments that the catalog has of a witness on the call's chain. */
  readonly published: (contractId: string) => ReadonlyArray<PublishedContract>
}

/** The events that prove the effect, as clients see them. */
export type EffectProof = Verdict<ReadonlyArray<EventFields>>

/** A function of the target whose answer at the end of the receipt's block is asked where no event tells. */
export interface EffectQuestion {
  /** Canonical. */
  readonly signature: string
  readonly args: ReadonlyArray<unknown>
  /** What the answer proves, in words. */
  readonly judge: (values: ReadonlyArray<unknown>) => Verdict<string>
}

interface Keys<Id extends string, Signature extends string, Kin extends ReadonlyArray<string>> {
  readonly name: string
  readonly contractId: Id
  /** Contracts whose function of this signature does the same and tells it by the same events. */
  readonly kin: Kin
  /** Canonical, tuples expanded. */
  readonly signature: Signature
  /** Contracts besides the target whose events count. */
  readonly witnesses: ReadonlyArray<string>
  /** A token's address is what the plan says; of any other target the catalog has the address. */
  readonly target: "published" | "planned"
}

/** `Call` is each function that it is for, as `<bare name of the contract>.<signature>`. */
export interface Predicate<in Call extends string = never>
  extends Keys<string, string, ReadonlyArray<string>> {
  readonly judges: (call: Call) => boolean
  readonly judge: (scene: Scene<EventFields>) => EffectProof
  /** Instead of a judgement by the logs. */
  readonly asks: (scene: Scene<EventFields>) => Option.Option<EffectQuestion>
}

type Usual = "kin" | "witnesses" | "target"

interface Declared<
  Id extends string,
  Signature extends string,
  Kin extends ReadonlyArray<string>,
  Args,
  Encoded
> extends Omit<Keys<Id, Signature, Kin>, Usual>,
    Partial<Pick<Keys<Id, Signature, Kin>, Usual>> {
  readonly args: Schema.Schema<Args, Encoded>
  readonly judge: (scene: Scene<Args>) => EffectProof
  readonly asks?: (scene: Scene<Args>) => Option.Option<EffectQuestion>
}

type BareName<Id extends string> = Id extends `${string}:${string}:${infer Name}` ? Name : Id

const bareName = (id: string): string => id.split(":").at(-1) ?? id

export const predicate = <
  const Id extends string,
  const Signature extends string,
  Args,
  Encoded,
  const Kin extends ReadonlyArray<string> = []
>({
  args,
  judge,
  asks = Option.none,
  ...keys
}: Declared<Id, Signature, Kin, Args, Encoded>): Predicate<`${BareName<Id | Kin[number]>}.${Signature}`> => {
  const read = Schema.decodeUnknownEither(args)
  const calls = [keys.contractId, ...(keys.kin ?? [])].map(id => `${bareName(id)}.${keys.signature}`)
  return {
    kin: [],
    witnesses: [],
    target: "published",
    ...keys,
    judges: call => calls.includes(call),
    asks: scene =>
      Option.flatMap(Either.getRight(read(scene.args)), known => asks({ ...scene, args: known })),
    judge: scene =>
      Either.match(read(scene.args), {
        onLeft: () => doubted("the calldata has not the arguments that the predicate knows"),
        onRight: known => judge({ ...scene, args: known })
      })
  }
}

/** The one deployment in use. */
export const sole = (published: ReadonlyArray<PublishedContract>, contractId: string): Verdict<Emitter> => {
  const [only, another] = published.filter(({ retired }) => !retired)
  return only === undefined || another !== undefined
    ? doubted(`the catalog has not one ${bareName(contractId)} in use on the chain`)
    : Either.right(only)
}
