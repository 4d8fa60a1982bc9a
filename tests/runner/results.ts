import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** Runs that take an hour and go on where they stopped keep their states here. */
const KEPT = new Set(['campaign', 'mutate'])

/** Removes what an earlier run of the tests left. */
export function clearResults(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder))
    if (!KEPT.has(name)) rmSync(path.join(folder, name), { recursive: true })
}
