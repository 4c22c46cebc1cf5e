/** The parts of an OpenAPI 3.1 document that this service uses. */
export type SchemaObject = { readonly [keyword: string]: unknown }

export interface Reference {
  readonly $ref: string
  /** Overrides the description of what is referred to. */
  readonly description?: string
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly description?: string
  readonly schema: SchemaObject
  readonly example?: unknown
}

export interface MediaType {
  readonly schema: SchemaObject
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Reference>>
}

export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: SchemaObject
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface RightsNote {
  readonly ownerOnly: boolean
  /** Null where no bot may call, whatever its scopes. */
  readonly requiredScope: "read" | "plan" | "relay" | null
  readonly idempotencyRequired: boolean
}

export interface OpenApiOperation {
  readonly tags: ReadonlyArray<string>
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly "x-auth"?: RightsNote
  readonly parameters: ReadonlyArray<Parameter | Reference>
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, MediaType>>
  }
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export type PathItem = Readonly<Record<string, OpenApiOperation>>

/** A type rather than an interface: it is also one of the API's own answers. */
export type Document = {
  readonly openapi: "3.1.2"
  readonly jsonSchemaDialect: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string; readonly url: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: ReadonlyArray<{ readonly url: string; readonly description: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly schemas: Readonly<Record<string, SchemaObject>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, Response>>
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
  }
}
