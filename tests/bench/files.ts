import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs'

/** Signing makes a new file that is on the disk when it ends; so much of its time is the disk's. In milliseconds. */
export function timeOfCopy(from: string, to: string): number {
  const start = performance.now()
  copyFileSync(from, to)
  const descriptor = openSync(to, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
  return performance.now() - start
}
