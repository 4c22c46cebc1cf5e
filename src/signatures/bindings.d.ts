declare module "secp256k1/bindings.js" {
  const bindings: typeof import("secp256k1")
  export default bindings
}
