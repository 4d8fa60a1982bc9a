import type { Rfc } from '#server/domain/identity/rfc.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'

/** As many as somebody sends who clicks again and has another tab. */
const MOST_OF_ONE = 4

let last: Promise<unknown> = Promise.resolve()
const onTheirWay = new Map<Rfc, number>()

/**
 * Opens keys one after the other. To derive from a password is slow by design, as slow as whoever made the file wants,
 * and takes one of the few threads by which all files are read: a handful at once would keep everybody waiting.
 *
 * @param rfc of whoever must sign
 * @throws {Problem} `too-many-attempts` when some of theirs wait already
 */
export async function openInTurn<T>(rfc: Rfc, open: () => Promise<T>): Promise<T> {
  const own = onTheirWay.get(rfc) ?? 0
  if (own >= MOST_OF_ONE)
    throw new Problem('too-many-attempts', `${own} keys of ${rfc} wait to be opened`, {
      retryAfter: seconds(5),
    })
  onTheirWay.set(rfc, own + 1)
  const opening = last.then(open)
  last = opening.catch(() => {})
  try {
    return await opening
  } finally {
    const left = (onTheirWay.get(rfc) ?? 1) - 1
    if (left > 0) onTheirWay.set(rfc, left)
    else onTheirWay.delete(rfc)
  }
}
