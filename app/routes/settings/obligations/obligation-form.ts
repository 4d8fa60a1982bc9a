import { z } from 'zod'
import { withSentence } from '#app/http/with-sentence.ts'
import { Day } from '#server/domain/day.ts'
import { DocumentKind } from '#server/domain/documents/document.ts'
import { line } from '#server/domain/identity/text.ts'
import {
  Counting,
  DocumentTerm,
  MOST_TERM_ACTS,
  MOST_TERM_DAYS,
  MonthTerm,
  type Obligation,
  ObligationData,
  type ObligationTerm,
  Shift,
} from '#server/domain/obligations/obligation.ts'
import { Instant } from '#server/domain/time.ts'

const { name, channel, source } = ObligationData.shape

const optional = <S extends z.ZodType>(schema: S, sentence: string) =>
  withSentence(z.union([z.literal(''), schema]), sentence).default('')

const DAY = 'Escriba una fecha que exista, como 2026-11-20.'

/** The field of a kind. */
export const kindField = (kind: DocumentKind) => `kind-${kind}`

/** A box that a browser sends only if it is ticked. */
const Ticked = z.literal('on').optional()

const Fields = z.looseObject({
  basis: withSentence(z.enum(['document', 'month']), 'Elija cuándo se causa.'),
  name: withSentence(name, 'Escriba el nombre de la obligación, hasta 100 caracteres.'),
  channel: optional(channel.unwrap(), 'Escriba dónde se cumple, hasta 120 caracteres.'),
  count: z.string().max(10).default(''),
  counting: withSentence(Counting, 'Elija cómo se cuentan los días.').default('natural'),
  shift: withSentence(Shift, 'Elija qué pasa si el día no es hábil.').default('stay'),
  acts: z.string().max(4000).default(''),
  ...Object.fromEntries(DocumentKind.options.map((kind) => [kindField(kind), Ticked])),
  source: optional(source.unwrap(), 'Escriba la fuente, hasta 300 caracteres.'),
  sourceDay: optional(Day, DAY),
})

/** Undefined after an issue. */
function obligationIn(fields: unknown, context: z.RefinementCtx): ObligationData | undefined {
  let isRefused = false
  const addIssue = (field: string, message: string) => {
    isRefused = true
    context.addIssue({ code: 'custom', path: [field], message })
  }
  const read = Fields.safeParse(fields)
  for (const { path, message } of read.error?.issues ?? [])
    addIssue(String(path[0] ?? 'form'), message)
  if (!read.data) return undefined
  const typed = read.data
  const term = termIn(typed, addIssue)
  if (typed.source && !typed.sourceDay) addIssue('sourceDay', 'Escriba cuándo se leyó la fuente.')
  if (isRefused) return undefined
  return ObligationData.parse({
    ...{ name: typed.name, channel: typed.channel || null, term },
    ...{ source: typed.source || null, sourceDay: (typed.source && typed.sourceDay) || null },
  })
}

type AddIssue = (field: string, message: string) => void

function termIn(typed: z.output<typeof Fields>, addIssue: AddIssue): ObligationTerm | undefined {
  const { basis, count, counting, shift, acts } = typed
  const number = /^\d{1,3}$/.test(count.trim()) ? Number(count) : Number.NaN
  if (basis === 'month') {
    const month = MonthTerm.safeParse({ basis, day: number, shift })
    if (!month.success) addIssue('count', 'Escriba un día del mes, de 1 a 31.')
    return month.data
  }
  const kinds = DocumentKind.options.filter((kind) => typed[kindField(kind)] !== undefined)
  const lines = acts.split(/\r\n?|\n/).filter((act) => act.trim() !== '')
  const written = z.array(line(80)).max(MOST_TERM_ACTS).safeParse(lines)
  if (!written.success)
    addIssue('acts', `Escriba hasta ${MOST_TERM_ACTS} actos, uno por renglón, de hasta 80 letras.`)
  else if (kinds.length + lines.length === 0)
    addIssue('acts', 'Elija al menos un tipo de documento, o escriba un acto.')
  const days = DocumentTerm.shape.days.unwrap().safeParse(number)
  if (!days.success) addIssue('count', `Escriba cuántos días, de 1 a ${MOST_TERM_DAYS}.`)
  return days.success && written.success
    ? { basis, days: days.data, counting, shift, kinds, acts: written.data }
    : undefined
}

/** Empty for an obligation of the program that the office has not changed. */
const SeenAt = z
  .string()
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(Instant.nullable())

/** The form of a new obligation. */
export const NewObligationForm = z
  .looseObject({ once: z.uuid() })
  .transform(({ once, ...fields }, context): { once: string; data: ObligationData } => {
    const data = obligationIn(fields, context)
    return data ? { once, data } : z.NEVER
  })

type ObligationForm =
  | { intent: 'change'; at: Instant | null; data: ObligationData }
  | { intent: 'switch-off' | 'switch-on' }

/** The forms of an obligation's page. */
export const ObligationForm = z
  .looseObject({
    intent: z.enum(['change', 'switch-off', 'switch-on']),
    at: SeenAt.default(null),
  })
  .transform(({ intent, at, ...fields }, context): ObligationForm => {
    if (intent !== 'change') return { intent }
    const data = obligationIn(fields, context)
    return data ? { intent, at, data } : z.NEVER
  })

/** The obligation as its fields show it. */
export const fieldsOfObligation = ({
  name,
  channel,
  term,
  source,
  sourceDay,
  at,
}: Obligation): Record<string, string> => ({
  ...{ name, channel: channel ?? '', source: source ?? '' },
  // Who confirms a term of the program says when they read its source.
  sourceDay: at === null ? '' : (sourceDay ?? ''),
  ...{ basis: term.basis, shift: term.shift },
  count: String((term.basis === 'month' ? term.day : term.days) ?? ''),
  ...(term.basis === 'document' && {
    ...{ counting: term.counting, acts: term.acts.join('\n') },
    ...Object.fromEntries(term.kinds.map((kind) => [kindField(kind), 'on'])),
  }),
})
