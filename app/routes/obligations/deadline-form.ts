import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { Day } from '#server/domain/day.ts'
import { Acknowledgement, DeadlineNote } from '#server/domain/obligations/deadline.ts'
import type { DeadlineAnswer } from '#server/features/obligations/set-deadline-state.ts'

const optional = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema])

/** The forms of a deadline's page. */
export const DeadlineForm = z
  .discriminatedUnion('intent', [
    z.object({
      intent: z.literal('done'),
      doneOn: withSentence(Day, 'Escriba una fecha que exista, como 2026-11-20.'),
      acknowledgement: withSentence(
        optional(Acknowledgement),
        'Escriba el acuse con hasta 80 caracteres.',
      ).default(''),
      note: withSentence(
        optional(DeadlineNote),
        'Escriba la nota con hasta 300 caracteres.',
      ).default(''),
    }),
    z.object({
      intent: z.literal('not-applicable'),
      reason: withSentence(DeadlineNote, 'Escriba por qué no aplica, hasta 300 caracteres.'),
    }),
    z.object({ intent: z.literal('open') }),
  ])
  .transform((typed): DeadlineAnswer => {
    switch (typed.intent) {
      case 'done': {
        const { doneOn, acknowledgement, note } = typed
        return {
          ...{ state: 'done', doneOn },
          ...{ note: note || null, acknowledgement: acknowledgement || null },
        }
      }
      case 'not-applicable':
        return { state: 'not-applicable', reason: typed.reason }
      case 'open':
        return { state: 'open' }
    }
  })
