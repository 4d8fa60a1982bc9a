import type { OutgoingNetworks } from '#server/domain/outgoing-networks.ts'
import {
  after,
  type Duration,
  earliest,
  hours,
  type Instant,
  latest,
  minutes,
} from '#server/domain/time.ts'
import type { Clock } from '#server/ports/clock.ts'
import type { PdfWork } from '#server/ports/pdf-work.ts'
import type { AuthorityQuestion } from '#server/ports/revocation-source.ts'
import { fetchAnswer } from './http-answer.ts'
import { unlessLate } from './unless-late.ts'

/** Those of large authorities have some hundred thousand entries. */
const MOST_BYTES = 10 << 20
/** For all lists that this process keeps together. */
const MOST_KEPT = 32 << 20
/** So long a list is believed at least, and at most, whatever it says itself. */
const YOUNG = minutes(5)
const LONGEST_LIFE = hours(1)

type KeptList = { der: Uint8Array; until: Instant }

type Options = {
  clock: Clock
  rest: Duration
  networks: OutgoingNetworks
  judge: PdfWork['judgeAnswer']
}

/**
 * Lists of revoked certificates, fetched where questions say. One that is proven to be the authority's word is
 * kept in memory while it is young; what proves nothing is handed on, so that a report can say why.
 *
 * @param rest after a timeout an address is not asked again for this time
 * @see RFC 5280, 6.3
 */
export function fetchedLists({ clock, rest, networks, judge }: Options) {
  const kept = new Map<string, KeptList>()
  const inWork = new Map<string, Promise<Uint8Array | undefined>>()
  const resting = new Map<string, Instant>()

  async function fetchOnce(address: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const begun = inWork.get(address)
    if (begun) return begun
    const work = fetchAnswer(address, { limit: MOST_BYTES, networks, signal }).then((answer) => {
      if (answer.kind === 'answered') return answer.body
      if (answer.isSlow) resting.set(address, after(clock.now(), rest))
      return undefined
    })
    inWork.set(address, work)
    return work.finally(() => inWork.delete(address))
  }

  function keep(address: string, der: Uint8Array, nextUpdate: Instant): void {
    const now = clock.now()
    const until = latest(after(now, YOUNG), earliest(nextUpdate, after(now, LONGEST_LIFE)))
    kept.delete(address)
    kept.set(address, { der, until: until })
    // The oldest go first.
    for (const oldest of kept.keys()) {
      if (sizeOf(kept) <= MOST_KEPT) return
      kept.delete(oldest)
    }
  }

  return {
    /** The first list that says something about the certificate; else all that came. */
    async about(question: AuthorityQuestion, signal: AbortSignal): Promise<Uint8Array[]> {
      const others: Uint8Array[] = []
      for (const address of question.lists) {
        const now = clock.now()
        const known = kept.get(address)
        if (known && now < known.until) return [known.der]
        if (signal.aborted || now < (resting.get(address) ?? 0)) continue
        const der = await fetchOnce(address, signal)
        if (!der) continue
        const asked = { question, kind: 'list', der, responders: [], now: clock.now() } as const
        const judged = await unlessLate(judge(asked), signal)
        if (judged && judged.status !== 'unknown') {
          keep(address, der, judged.nextUpdate ?? asked.now)
          return [der]
        }
        others.push(der)
      }
      return others
    },
  }
}

const sizeOf = (kept: ReadonlyMap<string, KeptList>) =>
  [...kept.values()].reduce((sum, { der }) => sum + der.length, 0)
