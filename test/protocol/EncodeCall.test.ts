import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { Interface } from "ethers"
import type { Abi } from "../../src/catalog/Abi.ts"
import { encodeCall } from "../../src/protocol/EncodeCall.ts"
import { decodeRevert } from "../../src/protocol/RevertReason.ts"

const uint = (name: string) => ({ name, type: "uint256" })

const ABI: Abi = [
  {
    type: "function",
    name: "mint",
    inputs: [{ name: "to", type: "address" }],
    outputs: [],
    stateMutability: "payable"
  },
  {
    type: "function",
    name: "mint",
    inputs: [
      { name: "to", type: "address" },
      { name: "pair", type: "tuple", components: [uint("a"), uint("b")] }
    ],
    outputs: [],
    stateMutability: "nonpayable"
  },
  {
    type: "function",
    name: "odd",
    inputs: [{ name: "x", type: "IVault" }],
    outputs: [],
    stateMutability: "view"
  },
  { type: "error", name: "TooLittle", inputs: [uint("given"), uint("needed")] }
]

const TO = "0x00000000000000000000000000000000000000AA"
const other = new Interface([
  "function mint(address to)",
  "function mint(address to, tuple(uint256 a, uint256 b) pair)",
  "error TooLittle(uint256 given, uint256 needed)",
  "error Error(string message)",
  "error Panic(uint256 code)"
])

const hex = (text: string): `0x${string}` => `0x${text.slice(2)}`

describe("encoding a call", () => {
  it("chooses the overload by its full signature and reports what the calldata carries", () => {
    const signature = "mint(address,(uint256,uint256))"
    const call = Either.getOrThrow(encodeCall(ABI, signature, [TO.toLowerCase(), ["1", "2"]]))
    assert.strictEqual(call.data, other.encodeFunctionData(signature, [TO, [1, 2]]))
    assert.deepStrictEqual(call.decodedArgs, [TO, { a: "1", b: "2" }])
    assert.strictEqual(call.mutability, "nonpayable")
    assert.strictEqual(
      Either.getOrThrow(encodeCall(ABI, "mint(address)", [TO])).data,
      other.encodeFunctionData("mint(address)", [TO])
    )
  })

  it("refuses bare names, unexpanded tuples and functions without a selector", () => {
    for (const signature of ["mint", "mint(address,tuple)", "mint( address)", "odd(IVault)", "burn()"]) {
      const refusal = Either.getOrThrow(Either.flip(encodeCall(ABI, signature, [])))
      assert.strictEqual(refusal._tag, "FUNCTION_SIGNATURE_UNKNOWN")
    }
    const bare = Either.getOrThrow(Either.flip(encodeCall(ABI, "mint", [])))
    assert.deepStrictEqual(bare.context?.candidates, ["mint(address)", "mint(address,(uint256,uint256))"])
  })
})

describe("revert reasons", () => {
  it("decode the ABI's own errors and the two built-in ones", () => {
    assert.deepStrictEqual(decodeRevert(ABI, hex(other.encodeErrorResult("TooLittle", [1, 2]))), {
      selector: hex(other.getError("TooLittle")?.selector ?? ""),
      name: "TooLittle",
      args: [
        { name: "given", type: "uint256", value: "1" },
        { name: "needed", type: "uint256", value: "2" }
      ]
    })
    assert.deepStrictEqual(decodeRevert(ABI, hex(other.encodeErrorResult("Error", ["no"]))), {
      selector: "0x08c379a0",
      name: "Error",
      args: [{ name: "message", type: "string", value: "no" }]
    })
    assert.deepStrictEqual(decodeRevert(ABI, hex(other.encodeErrorResult("Panic", [17]))), {
      selector: "0x4e487b71",
      name: "Panic",
      args: [{ name: "code", type: "uint256", value: "17" }]
    })
  })

  it("give only the selector of what they cannot read, and nothing of less", () => {
    assert.deepStrictEqual(decodeRevert(ABI, "0xdeadbeef"), { selector: "0xdeadbeef" })
    assert.deepStrictEqual(decodeRevert(ABI, "0x08c379a0ff"), { selector: "0x08c379a0" })
    assert.deepStrictEqual(decodeRevert(ABI, hex(other.encodeErrorResult("Error", ["x".repeat(5000)]))), {
      selector: "0x08c379a0"
    })
    assert.deepStrictEqual(decodeRevert(ABI, "0xdead"), { selector: null })
  })
})
