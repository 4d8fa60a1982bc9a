/** Replacement tasks that never end or allocate without end. */

export function inspect() {
  for (;;) {
    // A parser that a file leads in circles.
  }
}

export function verify() {
  const hoard: number[][] = []
  for (;;) hoard.push(new Array(100_000).fill(hoard.length))
}

/** Takes 50 ms of the processor. */
export function picture({ of: { width } }: { of: { width: number } }) {
  const { user } = process.threadCpuUsage()
  while (process.threadCpuUsage().user < user + 50_000);
  return { ok: true, value: Uint8Array.of(width) }
}

/** As on a machine that is busy with other work: takes a second on the clock and nothing of the processor. */
export async function report() {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return { ok: true, value: new Uint8Array() }
}

/** Does not end, and takes nothing of the processor. */
export const evidenceSheet = () => new Promise(() => undefined)
