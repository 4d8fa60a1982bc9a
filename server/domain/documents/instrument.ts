import { z } from 'zod'
import { Day } from '#server/domain/day.ts'
import type { VolumeWord } from '#server/domain/identity/entity-vocabulary.ts'
import { claimsNotarialOffice } from '#server/domain/identity/notarial-claim.ts'
import { line } from '#server/domain/identity/text.ts'
import { formatDay, parseInstant } from '#server/domain/time.ts'

/** A person who appears before the notary. */
const Party = z.object({
  name: line(150),
  /** "Vendedora"; null if not stated. */
  character: line(60).nullable(),
})
export type Party = z.infer<typeof Party>

const MOST_PARTIES = 60

/** Whether a party's character claims a notarial office: the sheets print it. */
export const hasNotarialParty = (parties: readonly Party[]): boolean =>
  parties.some(({ character }) => character !== null && claimsNotarialOffice(character))

/** Under what the protocol of the office holds a document: what a notary files, and what the law lists. */
export const Instrument = z.object({
  /** As the office writes it: `12,345`, `12345 bis`. */
  number: line(40),
  volume: line(40).nullable(),
  /** `101 a 110 vuelta` */
  folios: line(60).nullable(),
  date: Day.nullable(),
  /** One instrument may hold several: `Compraventa y apertura de crédito`. */
  acts: line(300).nullable(),
  parties: z.array(Party).max(MOST_PARTIES),
})
export type Instrument = z.infer<typeof Instrument>

/** A fact with its name, es-MX. */
export type InstrumentFact = { name: string; value: string }

/** The known facts of the instrument. */
export function instrumentFacts(
  { number, volume, folios, date, acts, parties }: Instrument,
  volumeWord: VolumeWord,
): InstrumentFact[] {
  const facts = [
    { name: 'Instrumento', value: number },
    { name: volumeNameOf(volumeWord), value: volume },
    { name: 'Folios', value: folios },
    { name: 'Fecha del instrumento', value: date && dayText(date) },
    { name: 'Acto', value: acts },
    { name: 'Comparecientes', value: parties.map(partyText).join('; ') },
  ]
  return facts.filter((fact): fact is InstrumentFact => Boolean(fact.value))
}

/** The same in one line, for a sheet with little room. */
export const instrumentText = (instrument: Instrument, volumeWord: VolumeWord): string =>
  instrumentFacts(instrument, volumeWord)
    .map(({ name, value }) => `${name}: ${value}`)
    .join(' · ')

/** `Volumen` */
export const volumeNameOf = (word: VolumeWord) => word.charAt(0).toUpperCase() + word.slice(1)

/** `Vendedora: María Núñez Peña` */
export const partyText = ({ name, character }: Party) =>
  character === null ? name : `${character}: ${name}`

/** Parses parties, one per line, each optionally with its character before a colon. */
export const Parties = z.string().transform((text, context): Party[] => {
  const lines = text.split(/\r\n?|\n/).filter((written) => written.trim() !== '')
  const parties = z.array(Party).max(MOST_PARTIES).safeParse(lines.map(partyIn))
  if (parties.success) return parties.data
  context.addIssue('not a list of parties')
  return z.NEVER
})

function partyIn(written: string): z.input<typeof Party> {
  const [, character, name] = /^([^:]+):(.*)$/.exec(written) ?? []
  return name === undefined
    ? { name: written, character: null }
    : { name, character: character ?? null }
}

/** `20 nov 2026` */
export const dayText = (day: Day) => formatDay(parseInstant(`${day}T00:00:00Z`), 'UTC')
