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

export async function picture({ width }: { width: number }) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  return { ok: true, value: Uint8Array.of(width) }
}
