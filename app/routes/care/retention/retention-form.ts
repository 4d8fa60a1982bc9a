import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { DecideRetention, PostponeRetention } from '#server/features/retention/decide-retention.ts'

const reason = withSentence(
  DecideRetention.shape.reason,
  'Escriba el motivo, hasta 500 caracteres.',
)

/** The forms of the page, by their hidden field. */
export const RetentionForm = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('postpone'),
    months: withSentence(
      z.coerce.number().pipe(PostponeRetention.shape.months),
      'Escriba los meses, del 1 al 120.',
    ),
    reason,
  }),
  z.object({ intent: z.literal('block'), reason }),
  z.object({ intent: z.literal('destroy'), reason }),
])
export type RetentionForm = z.infer<typeof RetentionForm>
