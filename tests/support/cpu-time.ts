/** Processor time of the work in milliseconds. On a busy machine wall time measures other programs too. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same of this thread alone: what a worker, the collector and the compiler do meanwhile is not counted. */
export async function threadTimeOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The longest time in milliseconds that this thread worked without serving anything else, until the work was done;
 * of several runs the least, for what the collector takes falls into one of them.
 */
export async function longestTaskOf(work: () => unknown, runs = 1): Promise<number> {
  const longest: number[] = []
  for (let run = 0; run < runs; run += 1) longest.push(await longestTaskOfOne(work))
  return Math.min(...longest)
}

async function longestTaskOfOne(work: () => unknown): Promise<number> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let [longest, last, isOver] = [0, spent(), false]
  const beat = () => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(beat)
  }
  setImmediate(beat)
  try {
    await work()
  } finally {
    isOver = true
    beat()
  }
  return longest
}
