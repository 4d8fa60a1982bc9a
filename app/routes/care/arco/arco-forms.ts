import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { AnswerRequest } from '#server/features/arco/answer-request.ts'
import { ExtendTerm } from '#server/features/arco/extend-term.ts'
import { MakeEffective } from '#server/features/arco/make-effective.ts'
import { ProveIdentity } from '#server/features/arco/prove-identity.ts'
import { RecordArcoRequest } from '#server/features/arco/record-arco-request.ts'

/** Maps an empty or missing field to null. */
const orNothing = <T>(schema: z.ZodType<T | null>, sentence: string) =>
  withSentence(
    z.preprocess(
      (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
      schema,
    ),
    sentence,
  ).default(() => null)

const A_DAY = 'Escriba una fecha que exista, como 2026-11-20.'

const { once, kind, way, receivedOn, name, rfc, email, asked } = RecordArcoRequest.shape

/** The form that records a request. */
export const RecordForm = z.object({
  once,
  kind: withSentence(kind, 'Elija qué derecho ejerce.'),
  way: withSentence(way, 'Elija cómo llegó.'),
  receivedOn: withSentence(receivedOn, A_DAY),
  name: withSentence(name, 'Escriba el nombre de la persona, hasta 150 caracteres.'),
  rfc: orNothing(rfc, 'Escriba el RFC de 12 o 13 caracteres, o deje el campo vacío.'),
  email: orNothing(email, 'Escriba un correo como nombre@correo.mx, o deje el campo vacío.'),
  asked: withSentence(asked, 'Escriba qué pide, hasta 4,000 caracteres.'),
})

/** The forms of the page of a request, by their hidden field. */
export const ArcoForm = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('identify'),
    how: withSentence(ProveIdentity.shape.how, 'Elija cómo la acreditó.'),
    on: withSentence(ProveIdentity.shape.on, A_DAY),
    note: orNothing(ProveIdentity.shape.note, 'Escriba hasta 300 caracteres.'),
  }),
  z.object({
    intent: z.literal('extend'),
    reason: withSentence(
      ExtendTerm.shape.reason.pipe(z.string().min(1)),
      'Escriba el motivo, hasta 500 caracteres.',
    ),
  }),
  z.object({
    intent: z.literal('answer'),
    outcome: withSentence(AnswerRequest.shape.outcome, 'Elija qué se responde.'),
    text: withSentence(AnswerRequest.shape.text, 'Escriba la respuesta, hasta 4,000 caracteres.'),
    legal: orNothing(AnswerRequest.shape.reason, 'Escriba hasta 1,000 caracteres.'),
  }),
  z.object({
    intent: z.literal('effect'),
    done: withSentence(MakeEffective.shape.note, 'Escriba qué se hizo, hasta 1,000 caracteres.'),
  }),
  z.object({ intent: z.literal('gather') }),
])
export type ArcoForm = z.infer<typeof ArcoForm>
