/** The audience of the committed description, which speaks of no deployment. */
export const NEUTRAL_AUDIENCE = "https://service.example"
