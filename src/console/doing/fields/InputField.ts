/** What a form asks for: the input of an operation as fields, each with its words. */

/** How a number is typed, and what is told beside it. */
export type FieldUnit =
  | { readonly kind: "native" | "project" | "time" | "duration" | "chain" }
  | { readonly kind: "currency" | "splitGroup" | "terminal" | "salt" | "party" }
  /** An amount of the token that the nearest member of this name tells. */
  | { readonly kind: "token"; readonly member: string }
  /** An amount with as many decimals as the nearest member of this name tells. */
  | { readonly kind: "decimals"; readonly member: string }
  | { readonly kind: "share"; readonly whole: number }
  /** An amount of the token that the loan was given in. */
  | { readonly kind: "loan" }

export type FieldShape =
  | {
      readonly kind: "group"
      /** The name of its schema, or of the member that it is. */
      readonly of: string
      readonly fields: ReadonlyArray<InputField>
    }
  | {
      readonly kind: "list"
      readonly item: InputField
      readonly least: number
      readonly most: number
      readonly isDistinct: boolean
      /** How many rows the form starts with. */
      readonly begun: number
    }
  | { readonly kind: "choice"; readonly alternatives: ReadonlyArray<InputField> }
  | { readonly kind: "options"; readonly values: ReadonlyArray<unknown> }
  | { readonly kind: "fixed"; readonly value: unknown }
  | { readonly kind: "flag" }
  | { readonly kind: "number"; readonly isWhole: boolean; readonly least: number; readonly most: number }
  | { readonly kind: "address" }
  | {
      readonly kind: "digits" | "text"
      readonly pattern: RegExp | undefined
      readonly shortest: number
      readonly longest: number
    }

export interface InputField {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  /** What a value must be, as said after "must be". */
  readonly rule: string
  readonly shape: FieldShape
  readonly isRequired: boolean
  /** What the service takes where the member is absent. */
  readonly fallback: unknown
  readonly unit: FieldUnit | undefined
  /** What a required member is where nothing is typed. */
  readonly empty: { readonly value: unknown; readonly words: string } | undefined
  /** What the form starts with. */
  readonly start: string | undefined
  /** Whether it is folded away, since most leave it as it is. */
  readonly isAside: boolean
}

export type FieldPath = ReadonlyArray<string | number>
