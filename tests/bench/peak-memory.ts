/*
 * Loaded in front of a program that is measured (`node --import`): when the program ends, the most memory
 * that it ever had resident is written to the file that PEAK_MEMORY_FILE names.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const target = process.env.PEAK_MEMORY_FILE
if (isMainThread && target) process.on('exit', () => writeFileSync(target, String(peakKilobytes())))

/** From /proc if available: the maxRSS of a child includes the memory of its parent at the start. */
function peakKilobytes(): number {
  const status = '/proc/self/status'
  const line = existsSync(status) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))
  return line ? Number(line[1]) : process.resourceUsage().maxRSS
}
