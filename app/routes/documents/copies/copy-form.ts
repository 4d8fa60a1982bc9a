import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  CopyFacts,
  CopyKind,
  CopyMedium,
  CopyRecipient,
} from '#server/domain/documents/copies/issued-copy.ts'
import { RecordCopy } from '#server/features/copies/record-copy.ts'

/** Maps an empty or missing field to null. */
const orNothing = <T>(schema: z.ZodType<T | null>, sentence: string) =>
  withSentence(
    z.preprocess(
      (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
      schema,
    ),
    sentence,
  ).default(() => null)

const { name, rfc, character } = CopyRecipient.shape
const { part, issuedOn, note } = CopyFacts.shape
const { sheets } = CopyMedium.options[0].shape

/** `testimony.2`: the kind with the ordinal that the form showed for it. */
const NumberedKind = z
  .string()
  .transform((text) => text.split('.'))
  .transform(([kind, ordinal]) => ({ kind, ordinal: Number(ordinal) }))
  .pipe(z.object({ kind: CopyKind, ordinal: RecordCopy.shape.ordinal }))

export const numberedKind = (kind: CopyKind, ordinal: number) => `${kind}.${ordinal}`

const HOW_MANY = 'Escriba cuántas hojas tiene, del 1 al 99,999.'

const MEDIUM_FIELDS: readonly unknown[] = ['medium', 'sheets']

const sheetsFault = (typed: unknown) =>
  Typed.safeParse(typed).success
    ? HOW_MANY
    : 'Una copia electrónica no tiene hojas: deje el campo vacío o elija “Papel”.'

const Typed = z.object({ medium: z.literal('paper') })

/** The form that records a copy. */
export const CopyForm = z
  .object({
    once: RecordCopy.shape.once,
    copy: withSentence(NumberedKind, 'Elija qué se expidió.'),
    part: orNothing(part, 'Escriba qué parte se reprodujo, hasta 200 caracteres.'),
    name: withSentence(name, 'Escriba a quién se expidió, hasta 150 caracteres.'),
    rfc: orNothing(rfc, 'Escriba el RFC de 12 o 13 caracteres, o deje el campo vacío.'),
    character: orNothing(character, 'Escriba hasta 80 caracteres.'),
    medium: withSentence(z.enum(['paper', 'electronic']), 'Elija el soporte.'),
    sheets: orNothing(z.coerce.number().pipe(sheets).nullable(), HOW_MANY),
    issuedOn: withSentence(issuedOn, 'Escriba una fecha que exista, como 2026-11-20.'),
    note: orNothing(note, 'Escriba hasta 500 caracteres.'),
  })
  // Beside the faults of other fields, not after them.
  .refine(({ medium, sheets }) => (medium === 'electronic') === (sheets === null), {
    path: ['sheets'],
    error: ({ input }) => sheetsFault(input),
    when: ({ issues }) => !issues.some(({ path }) => MEDIUM_FIELDS.includes(path?.[0])),
  })
  .transform(({ copy, name, rfc, character, medium, sheets, ...rest }) => ({
    ...rest,
    ...copy,
    recipient: { name, rfc, character },
    medium: sheets === null ? { kind: 'electronic' as const } : { kind: 'paper' as const, sheets },
  }))
