/** What supervisor and processes say to each other. Processes of the next edition hear the supervisor of this one: words are added, and none changes. */

/** To a process: what to serve with instead of its own settings, or that another one serves in its place. */
export type ToMember = { readonly kind: "serve"; readonly settings: unknown } | { readonly kind: "replaced" }

/** Of a process, which hears nothing of what is told before it says so. */
export type FromMember =
  | { readonly kind: "hearing" }
  | { readonly kind: "ops"; readonly port: number }
  | { readonly kind: "ready" }
  | { readonly kind: "left" }

/** Of a message that another edition may have sent. */
export const kindOf = (message: unknown): unknown => Object(message).kind
