import type { SampleDeed } from '#server/demo/sample-deed.ts'
import { FICTION } from '#server/demo/sample-deeds.ts'
import { dayOf } from '#server/domain/day.ts'
import { seriesOfKind } from '#server/domain/documents/numbers/number-series.ts'
import { INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import { numberText } from '#server/domain/documents/numbers/series-number.ts'
import type { Instant } from '#server/domain/time.ts'
import { ACTS_OF_PERSONS } from './acts-of-persons.ts'
import { type OfficeDay, workingTime, ZONE } from './calendar.ts'
import type { Chance } from './chance.ts'
import { COPIES } from './copies.ts'
import { DEEDS } from './deeds.ts'
import type { Drafted } from './drafted.ts'
import { LEFT } from './staff.ts'
import type { PlannedDocument } from './work.ts'

const PAPERS = [...DEEDS, ...ACTS_OF_PERSONS, ...COPIES]

/** Who uploads, as often as the weight says. */
const UPLOADERS = [
  { slug: 'auxiliar', weight: 8 },
  { slug: 'gestora', weight: 5 },
  { slug: LEFT.slug, weight: 4 },
  { slug: 'abogada', weight: 3 },
  { slug: 'proyectista', weight: 4 },
  { slug: 'abogada-corporativa', weight: 3 },
]

/** The numbers of the year. The protocol leaves out one after each of the documents in `gapsAfter`. */
export type Numbering = {
  lastInstrument: number
  lastCollation: number
  /** How many gaps; they are spread evenly over the year. */
  gaps: number
}

/** A number that was set apart and did not pass, after a document. */
export type Gap = { number: number; after: Instant }

export type DraftedYear = {
  documents: readonly PlannedDocument[]
  gaps: readonly Gap[]
  first: { instrument: number; collation: number }
}

/**
 * Drafts so many documents over these days, with numbers that ascend as they are uploaded.
 *
 * @param leaves when one of the uploaders leaves the office
 */
export function draftDocuments(
  count: number,
  days: readonly OfficeDay[],
  { numbering, leaves, chance }: { numbering: Numbering; leaves: Instant; chance: Chance },
): DraftedYear {
  const times = Array.from({ length: count }, () => workingTime(chance.pick(days), chance))
  const titles = new Set<string>()
  const drafts = times
    .toSorted((one, other) => one - other)
    .map((uploadedAt) => ({ uploadedAt, drafted: draftNew(titles, chance) }))
  const isInstrument = ({ kind }: Drafted) => seriesOfKind(kind) === INSTRUMENT_SERIES
  const instruments = drafts.filter(({ drafted }) => isInstrument(drafted)).length
  const collations = drafts.filter(({ drafted }) => drafted.kind === 'collation').length
  const first = {
    instrument: numbering.lastInstrument - instruments - numbering.gaps + 1,
    collation: numbering.lastCollation - collations + 1,
  }
  const gaps: Gap[] = []
  const isGapAt = (index: number) =>
    gaps.length < numbering.gaps &&
    index >= ((gaps.length + 1) * instruments) / (numbering.gaps + 1)
  let [instrument, collation, counted] = [first.instrument, first.collation, 0]
  const documents = drafts.map(({ uploadedAt, drafted }, place) => {
    const by = uploaderAt(uploadedAt, leaves, chance)
    if (drafted.kind === 'collation')
      return { place, uploadedAt, by, deed: deedOf(drafted, collation++, uploadedAt) }
    if (!isInstrument(drafted))
      return { place, uploadedAt, by, deed: deedOf(drafted, null, uploadedAt) }
    const deed = deedOf(drafted, instrument++, uploadedAt)
    counted += 1
    if (isGapAt(counted)) gaps.push({ number: instrument++, after: uploadedAt })
    return { place, uploadedAt, by, deed }
  })
  return { documents, gaps, first }
}

/** A draft whose title no other has. */
function draftNew(titles: Set<string>, chance: Chance): Drafted {
  for (;;) {
    const drafted = chance.weighted(PAPERS).draft(chance)
    if (titles.has(drafted.title)) continue
    titles.add(drafted.title)
    return drafted
  }
}

function uploaderAt(at: Instant, leaves: Instant, chance: Chance): string {
  const { slug } = chance.weighted(UPLOADERS)
  return slug === LEFT.slug && at >= leaves ? 'auxiliar' : slug
}

/** With its number, the day on which it was drafted, and the notice that nothing of it is true. */
function deedOf(drafted: Drafted, number: number | null, uploadedAt: Instant): SampleDeed {
  const { title, kind, heading, paragraphs, act, parties } = drafted
  const text = number === null ? null : numberText(number)
  const name = kind === 'deed' && text ? `Escritura ${text} · ${title}` : title
  return {
    ...{ title: name, kind, heading: text && kind === 'deed' ? `ESCRITURA ${text}` : heading },
    paragraphs: [FICTION, ...(kind === 'deed' ? [heading] : []), ...paragraphs],
    ...(text && {
      instrument: {
        ...{ number: text, volume: bookOf(kind, number ?? 0) },
        folios: foliosOf(kind, number ?? 0),
        ...{ date: dayOf(uploadedAt, ZONE), acts: act, parties: [...parties] },
      },
    }),
  }
}

/** Of three sheets each, counted through the book; a collation is a line of its register. */
function foliosOf(kind: Drafted['kind'], number: number): string | null {
  if (kind === 'collation') return null
  const first = 3 * (PER_BOOK - 1 - ((LAST_OF_BOOK - number) % PER_BOOK)) + 1
  return `${first} a ${first + 2} vuelta`
}

const PER_BOOK = 52
const LAST_OF_BOOK = 4521

/** A book of the protocol holds some fifty instruments; that of collations, a hundred. */
const bookOf = (kind: Drafted['kind'], number: number): string =>
  String(
    kind === 'collation'
      ? 1 + Math.ceil(number / 107)
      : 118 - Math.floor((LAST_OF_BOOK - number) / PER_BOOK),
  )
