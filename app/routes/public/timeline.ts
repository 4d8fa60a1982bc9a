import type { IconName } from '#app/ui/icon.tsx'
import type { Tone } from '#app/ui/tone.ts'
import type { SignatureReport, TimestampFacts } from '#server/domain/verification/report.ts'
import { type SignatureView, signatureView, spoken } from './signature-view.ts'
import { MODIFICATIONS, TIMESTAMPS } from './verdict-words.ts'

/** What happened beside the signatures: a timestamp was made, the document was changed. */
export type TimelineEvent = {
  kind: 'event'
  /** Its own on the line. */
  id: string
  tone: Tone
  icon: IconName
  text: string
  when: string | null
}

export type TimelineEntry = ({ kind: 'signature'; id: string } & SignatureView) | TimelineEvent

/** The signatures in their order, and between them what else is known to have happened. */
export function timelineOf(signatures: readonly SignatureReport[], zone: string): TimelineEntry[] {
  const cards = signatures.map((signature, index) => ({
    time: signature.claimedTime ?? signature.provenTime,
    // Two signatures may bear the same name.
    entry: {
      kind: 'signature' as const,
      id: `signature ${index}`,
      ...signatureView(signature, zone),
    },
  }))
  const stamps = stampsOf(signatures).map((stamp) => ({
    time: stamp.time,
    entry: stampEvent(stamp, zone),
  }))
  const line: Placed<TimelineEntry>[] = [...placed(cards), ...placed(stamps)]
  // What happened at the same time as a signature stands behind it.
  const sorted = line.toSorted((a, b) => a.place - b.place)
  return [...sorted.map(({ entry }) => entry), ...lastChange(signatures)]
}

type Dated<T> = { time: string | null; entry: T }
type Placed<T> = { place: number; entry: T }

/** On the line of time; what has no time of its own stays behind what stands before it in the file. */
function placed<T>(dated: readonly Dated<T>[]): Placed<T>[] {
  let last = Number.MIN_SAFE_INTEGER
  return dated.map(({ time, entry }) => {
    last = time === null ? last : Date.parse(time)
    return { place: last, entry }
  })
}

/** Those that are no signature field of their own; one that stands for several signatures is told once. */
function stampsOf(signatures: readonly SignatureReport[]): TimestampFacts[] {
  const stamps = signatures
    .flatMap(({ timestamps }) => timestamps)
    .filter(({ kind, time }) => kind !== 'document' && time !== null)
  return [...new Map(stamps.map((stamp) => [nameOf(stamp), stamp])).values()]
}

const nameOf = ({ kind, time, authority }: TimestampFacts) => `${kind} ${time} ${authority}`

const stampEvent = (stamp: TimestampFacts, zone: string): TimelineEvent => ({
  kind: 'event',
  id: nameOf(stamp),
  tone: stamp.valid ? (stamp.trusted === false ? 'wait' : 'note') : 'bad',
  icon: 'clock',
  text: [TIMESTAMPS[stamp.kind], stamp.authority].filter(Boolean).join(' · '),
  when: stamp.time && spoken(stamp.time, zone),
})

/** Later revisions say nothing of their time that could be believed; they came behind what they changed. */
function lastChange(signatures: readonly SignatureReport[]): TimelineEvent[] {
  const changes = signatures.flatMap((signature) => signature.changes)
  const worst = (['OTHER', 'ANNOTATIONS'] as const).find((level) =>
    changes.some((change) => change.level === level),
  )
  if (!worst) return []
  const ofLevel = changes.filter(({ level }) => level === worst)
  const pages = [...new Set(ofLevel.flatMap(({ page }) => page ?? []))].toSorted((a, b) => a - b)
  const where =
    pages.length > 0 ? ` (${pages.length === 1 ? 'página' : 'páginas'} ${pages.join(', ')})` : ''
  return [
    {
      kind: 'event',
      id: 'last change',
      tone: 'bad',
      icon: 'pencil',
      text: `${MODIFICATIONS[worst]} después de firmarse${where}`,
      when: null,
    },
  ]
}
