import { TONE_ICONS, type Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type {
  ConstanciaReport,
  SignatureReport,
  TimestampFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import { authorityText } from '#server/words/unconfirmed-names.ts'
import { sentenceOfConstancia } from '#server/words/verification/constancias.ts'
import { timeText } from '#server/words/verification/phrases.ts'
import { revocationText } from '#server/words/verification/revocation.ts'
import { MODIFICATIONS, TIMESTAMPS } from '#server/words/verification/terms.ts'
import { sentenceOfWarning } from '#server/words/verification/warnings.ts'
import type { NamedFact } from './named-facts.tsx'
import { type SignatureView, signatureView } from './signature-view.ts'

/** An event other than a signature: a timestamp, a change of the document. */
export type TimelineEvent = {
  kind: 'event'
  /** Unique on the timeline. */
  id: string
  tone: Tone
  icon: IconName
  text: string
  when: string | null
  sentences?: readonly string[]
  facts?: readonly NamedFact[]
  /** Whether the details of a signature say the same. */
  isInDetails?: boolean
}

export type TimelineEntry = ({ kind: 'signature'; id: string } & SignatureView) | TimelineEvent

/**
 * Returns the signatures in order, with the other known events between them.
 *
 * @param capacities of the notaries, by the place of their signatures
 */
export function timelineOf(
  { signatures, constancia }: Pick<VerificationReport, 'signatures' | 'constancia'>,
  zone: string,
  capacities: readonly (string | null)[] = [],
): TimelineEntry[] {
  const cards = signatures.map((signature, index) => ({
    time: signature.claimedTime ?? signature.provenTime,
    // Two signatures may have the same name.
    entry: {
      kind: 'signature' as const,
      id: `signature ${index}`,
      ...signatureView(signature, zone, capacities[index] ?? null),
    },
  }))
  const stamps = stampsOf(signatures, constancia).map((stamp) => ({
    time: stamp.time,
    entry: stampEvent(stamp, zone),
  }))
  const beside = constancia
    ? [{ time: constancia.time, entry: constanciaEvent(constancia, zone) }]
    : []
  const line: Placed<TimelineEntry>[] = [
    ...placed(cards),
    ...placed(stamps),
    // An unreadable one comes last.
    ...placed(beside, Number.MAX_SAFE_INTEGER),
  ]
  // Events at the time of a signature come after it.
  const sorted = line.toSorted((a, b) => a.place - b.place)
  return [...sorted.map(({ entry }) => entry), ...lastChange(signatures)]
}

type Dated<T> = { time: string | null; entry: T }
type Placed<T> = { place: number; entry: T }

/** Sorts by time; an entry without a time stays after its predecessor in the file. */
function placed<T>(dated: readonly Dated<T>[], first = Number.MIN_SAFE_INTEGER): Placed<T>[] {
  let last = first
  return dated.map(({ time, entry }) => {
    last = time === null ? last : Date.parse(time)
    return { place: last, entry }
  })
}

/** Timestamps inside signatures; one that covers several signatures appears once. */
function stampsOf(
  signatures: readonly SignatureReport[],
  constancia: ConstanciaReport | undefined,
): TimestampFacts[] {
  const isConstancia = ({ kind, time, authority }: TimestampFacts) =>
    kind === 'constancia' && time === constancia?.time && authority === constancia.authority
  const stamps = signatures
    .flatMap(({ timestamps }) => timestamps)
    // The constancia has its own entry.
    .filter((stamp) => !isConstancia(stamp) && stamp.kind !== 'document' && stamp.time !== null)
  return [...new Map(stamps.map((stamp) => [nameOf(stamp), stamp])).values()]
}

const nameOf = ({ kind, time, authority }: TimestampFacts) => `${kind} ${time} ${authority}`

const stampEvent = (stamp: TimestampFacts, zone: string): TimelineEvent => ({
  kind: 'event',
  id: nameOf(stamp),
  tone: stamp.valid ? (stamp.trusted ? 'note' : 'wait') : 'bad',
  icon: 'clock',
  ...authorityOn(TIMESTAMPS[stamp.kind], stamp),
  when: stamp.time && timeText(stamp.time, zone),
  isInDetails: stamp.valid && stamp.trusted,
})

/** A confirmed authority stands in the title; what another calls itself stands below. */
function authorityOn(
  noun: string,
  stamp: Parameters<typeof authorityText>[0],
): Pick<TimelineEvent, 'text' | 'sentences'> {
  const name = authorityText(stamp)
  if (!name) return { text: noun }
  return name === stamp.authority
    ? { text: `${noun} · ${name}` }
    : {
        text: noun,
        sentences: [`Quien lo emitió ${name}; ninguna autoridad reconocida lo confirma.`],
      }
}

const CONSTANCIA_TONES: Record<ConstanciaReport['verdict'], Tone> = {
  VALID: 'good',
  EARLIER_REVISION: 'note',
  INDETERMINATE: 'wait',
  INVALID: 'bad',
  NOT_A_CONSTANCIA: 'bad',
}

function constanciaEvent(constancia: ConstanciaReport, zone: string): TimelineEvent {
  const { kind, verdict, headline, warnings, time } = constancia
  const noun = kind === 'timestamp' ? TIMESTAMPS.document : TIMESTAMPS.constancia
  const { text, sentences: claims = [] } = authorityOn(noun, constancia)
  return {
    kind: 'event',
    id: 'constancia',
    tone: CONSTANCIA_TONES[verdict],
    icon: TONE_ICONS[CONSTANCIA_TONES[verdict]],
    text,
    when: time && timeText(time, zone),
    sentences: [
      ...new Set([sentenceOfConstancia(headline), ...warnings.map(sentenceOfWarning), ...claims]),
    ],
    facts: constanciaFacts(constancia, zone),
  }
}

const constanciaFacts = (
  { policy, serialNumber, revocation }: ConstanciaReport,
  zone: string,
): NamedFact[] => [
  ...(policy ? [{ name: 'Política', value: policy }] : []),
  ...(serialNumber ? [{ name: 'Número de serie', value: serialNumber }] : []),
  ...(revocation ? [{ name: 'Revocación', value: revocationText(revocation, zone) }] : []),
]

/** Later revisions have no trustworthy time; they come after what they changed. */
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
