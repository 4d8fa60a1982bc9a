import { cpuTimeOf } from './cpu-time.ts'

/** Returns the least processor time of several runs, in milliseconds: other processes do not add to it. */
export async function fastest(work: () => unknown, runs = 20): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) times.push(await cpuTimeOf(work))
  return Math.min(...times)
}
