import type { Mutation } from './mutations.ts'

/** A valid input, and the permitted results for inputs derived from it. */
export type Origin = {
  name: string
  bytes: Uint8Array
  /** The fault of the reader's answer; undefined if the answer is right for these bytes. */
  faultOf: (bytes: Uint8Array) => string | undefined
}

/** A reader of untrusted bytes and valid inputs for it. If it throws, that is a crash. */
export type Reader = {
  name: string
  /** How often it is tried, beside the others. */
  weight: number
  mutations: readonly Mutation[]
  origins: readonly Origin[]
}
