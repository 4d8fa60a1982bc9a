/** Tasks of the process that works for strangers, as a file could make them. */
import { readdirSync } from 'node:fs'
import os from 'node:os'

export const echo = (task: unknown) => task

export const pidOf = () => process.pid

/** Its environment, and the priorities of all its threads. */
export const surroundings = () => ({
  env: { ...process.env },
  priorities: readdirSync('/proc/self/task').map((thread) => os.getPriority(Number(thread))),
})

export function refuse() {
  throw new TypeError('not this one')
}

export function loop() {
  for (;;) {
    // A parser that a file leads in circles.
  }
}

export function hoard() {
  const hoarded: number[][] = []
  for (;;) hoarded.push(new Array(100_000).fill(hoarded.length))
}

/** Bytes outside of the heap, which the limit of a thread does not count. */
export async function hoardBytes() {
  const hoarded: Uint8Array[] = []
  for (;;) {
    hoarded.push(new Uint8Array(16 << 20).fill(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export function crash() {
  process.kill(process.pid, 'SIGSEGV')
  loop()
}
