export const known = (value: unknown) => ({ status: "known", value })
