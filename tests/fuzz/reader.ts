import type { Mutation } from './mutations.ts'

/** An honest input, and what may be said about inputs that were made from it. */
export type Origin = {
  name: string
  bytes: Uint8Array
  /** Undefined when the answer about the input is one that it earned; else what is wrong with it. */
  faultOf: (bytes: Uint8Array) => string | undefined
}

/** A reader of strangers' bytes, and honest inputs of it. What it throws is a crash. */
export type Reader = {
  name: string
  /** How often it is tried, beside the others. */
  weight: number
  mutations: readonly Mutation[]
  origins: readonly Origin[]
}
