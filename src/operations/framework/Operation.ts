/** How an operation is declared, which clients read too, and how what it does is joined to that. */
import { Data, Effect, Either, type ParseResult, Schema } from "effect"
import { decoder } from "../../values/Conforms.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import type { AnyRefusal } from "../../values/Refusal.ts"
import type { RefusedAnswer } from "./OperationProblems.ts"
import type { Source, SourceClass } from "./Sources.ts"

/** What people are told of an operation before they read its schemas, and where its answer comes from. */
export interface Described {
  readonly kind: "read" | "prepare" | "reference"
  readonly sources: ReadonlyArray<SourceClass>
  readonly title: string
  readonly description: string
}

type AnySchema = Schema.Schema.AnyNoContext

export interface AnyDeclared extends Described {
  readonly id: string
  readonly input: AnySchema
  readonly output: AnySchema
  /** Its own refusals; those of every operation, and of its sources, go without saying. */
  readonly problems: ReadonlyArray<ProblemCode>
}

export interface Declared<
  Id extends string,
  Input extends AnySchema,
  Output extends AnySchema,
  From extends SourceClass,
  Code extends ProblemCode
> extends AnyDeclared {
  readonly id: Id
  readonly sources: ReadonlyArray<From>
  readonly input: Input
  readonly output: Output
  readonly problems: ReadonlyArray<Code>
}

/** Free of services, for it is what the HTTP description, the docs and the clients are made of. */
export const declareOperation = <
  const Id extends string,
  Input extends AnySchema,
  Output extends AnySchema,
  From extends SourceClass,
  Code extends ProblemCode
>(
  declared: Declared<Id, Input, Output, From, Code>
) => declared

/** An output that its own schema does not encode: our mistake, never the caller's. */
class UnencodableOutput extends Data.Error<{ readonly operation: string; readonly cause: unknown }> {}

/** `source` is the one that the request named, and always one where it has to name one. */
export type Answering<R> = (source: Source | undefined) => Effect.Effect<unknown, AnyRefusal, R>

export interface Operation<R, Declaration extends AnyDeclared = AnyDeclared> {
  readonly id: string
  readonly declaration: Declaration
  /** Reads the input; what it yields answers in JSON. */
  readonly prepare: (input: unknown) => Either.Either<Answering<R>, ParseResult.ParseError>
}

/** What it answers with, and may refuse with, is what its declaration says. */
export type Run<Declaration extends AnyDeclared, R> = (
  input: Declaration["input"]["Type"],
  source: Source | undefined
) => Effect.Effect<
  Declaration["output"]["Type"],
  RefusedAnswer<NoInfer<Declaration["sources"][number]>, NoInfer<Declaration["problems"][number]>>,
  R
>

export const defineOperation = <Declaration extends AnyDeclared, R>(
  declaration: Declaration,
  run: Run<NoInfer<Declaration>, R>
): Operation<R, Declaration> => {
  const { id, input, output } = declaration
  const decode = decoder(input)
  const encode = Schema.encodeEither(output)
  const encoded = (answer: Declaration["output"]["Type"]) =>
    Either.match(encode(answer), {
      onLeft: cause => Effect.die(new UnencodableOutput({ operation: id, cause })),
      onRight: json => Effect.succeed<unknown>(json)
    })
  return {
    id,
    declaration,
    prepare: json => Either.map(decode(json), given => source => Effect.flatMap(run(given, source), encoded))
  }
}
