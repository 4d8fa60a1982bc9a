/** Processor time of the work in milliseconds. On a busy machine wall time measures other programs too. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Processor time of the work in its own thread, in milliseconds: what a person waits for on a machine that has nothing
 * else to do. The collector and the compiler work beside it.
 */
export function threadTimeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
