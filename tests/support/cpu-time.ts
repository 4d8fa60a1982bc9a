/**
 * How many milliseconds of processors the work takes. On a busy machine a clock on the wall tells what others do; this
 * tells what we do.
 */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
