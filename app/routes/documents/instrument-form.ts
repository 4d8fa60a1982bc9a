import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { NOTARIAL_CLAIM } from '#app/messages/labels.ts'
import {
  hasNotarialParty,
  Instrument,
  Parties,
  partyText,
} from '#server/domain/documents/instrument.ts'
import type { ProblemCode } from '#server/domain/problem.ts'

/** Maps an empty or missing field to null. */
const orNothing = <T>(schema: z.ZodType<T | null>, sentence: string) =>
  withSentence(z.preprocess(nullIfEmpty, schema), sentence).default(() => null)

const nullIfEmpty = (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? null : value

const { number, volume, folios, date, acts } = Instrument.shape

/** The form's schema. */
export const instrumentFields = {
  number: orNothing(number.nullable(), 'Escriba el número, hasta 40 caracteres.'),
  volume: orNothing(volume, 'Escríbalo con hasta 40 caracteres.'),
  folios: orNothing(folios, 'Escriba los folios, hasta 60 caracteres.'),
  date: orNothing(date, 'Escriba una fecha que exista, como 2026-11-20.'),
  acts: orNothing(acts, 'Escriba el acto, hasta 300 caracteres.'),
  parties: withSentence(
    Parties,
    'Escriba una persona por renglón, hasta 60, como “Vendedora: María Núñez”.',
  )
    .refine((parties) => !hasNotarialParty(parties), NOTARIAL_CLAIM)
    .default([]),
}

/** Whether the refusal belongs to the field of the number. */
export const isAboutNumber = ({ code }: { code: ProblemCode }): boolean =>
  code === 'number-used' || code === 'number-explained'

type Typed = { [Name in keyof typeof instrumentFields]: z.output<(typeof instrumentFields)[Name]> }

/**
 * Returns the instrument; null if every field is empty. The number is required if any other field has a
 * value.
 */
export function instrumentIn(
  { number, parties, ...rest }: Typed,
  context: z.RefinementCtx,
): Instrument | null {
  if (number !== null) return { ...rest, parties, number }
  if (parties.length === 0 && Object.values(rest).every((value) => value === null)) return null
  context.addIssue({ code: 'custom', path: ['number'], message: NO_NUMBER })
  return z.NEVER
}

const NO_NUMBER = 'Escriba el número del instrumento al que pertenecen estos datos.'

/** Returns the form's values for an instrument. */
export function instrumentValues(instrument: Instrument | null): Record<string, string> {
  if (!instrument) return {}
  const { parties, ...rest } = instrument
  const texts = Object.entries(rest).map(([name, value]) => [name, value ?? ''])
  return { ...Object.fromEntries(texts), parties: parties.map(partyText).join('\n') }
}
