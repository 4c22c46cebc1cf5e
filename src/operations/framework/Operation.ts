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

export interface Declared<
  Id extends string,
  Input,
  InputI,
  Output,
  OutputI,
  From extends SourceClass,
  Code extends ProblemCode
> extends Described {
  readonly id: Id
  readonly sources: ReadonlyArray<From>
  readonly input: Schema.Schema<Input, InputI>
  readonly output: Schema.Schema<Output, OutputI>
  /** Its own refusals; those of every operation, and of its sources, go without saying. */
  readonly problems: ReadonlyArray<Code>
}

export interface AnyDeclared extends Described {
  readonly id: string
  readonly input: Schema.Schema.AnyNoContext
  readonly output: Schema.Schema.AnyNoContext
  readonly problems: ReadonlyArray<ProblemCode>
}

/** Free of services, for it is what the HTTP description, the docs and the clients are made of. */
export const declareOperation = <
  const Id extends string,
  Input,
  InputI,
  Output,
  OutputI,
  From extends SourceClass,
  Code extends ProblemCode
>(
  declared: Declared<Id, Input, InputI, Output, OutputI, From, Code>
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

export const defineOperation = <
  Id extends string,
  Input,
  InputI,
  Output,
  OutputI,
  From extends SourceClass,
  Code extends ProblemCode,
  R
>(
  declaration: Declared<Id, Input, InputI, Output, OutputI, From, Code>,
  run: (
    input: Input,
    source: Source | undefined
  ) => Effect.Effect<Output, RefusedAnswer<NoInfer<From>, NoInfer<Code>>, R>
): Operation<R, Declared<Id, Input, InputI, Output, OutputI, From, Code>> => {
  const { id, input, output } = declaration
  const decode = decoder(input)
  const encode = Schema.encodeEither(output)
  const encoded = (answer: Output) =>
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
