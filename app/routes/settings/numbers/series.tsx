import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import css from '#app/routes/settings/office.module.css'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { numberIn, numberText } from '#server/domain/documents/numbers/series-number.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { line } from '#server/domain/identity/text.ts'
import { NumberSeriesId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { Instant } from '#server/domain/time.ts'
import { ChangeSeries, changeSeries } from '#server/features/numbers/change-series.ts'
import { type ReadSeries, readSeries } from '#server/features/numbers/list-series.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/series'

const PATH = '/dashboard/settings/numbers'
const STALE =
  'La serie cambió mientras usted la editaba: tal vez alguien tomó un número. Aquí está la actual; si hace falta, haga su cambio de nuevo.'
const SENTENCE = 'Escriba el número con cifras, hasta 9,999,999.'

const OptionalNumber = withSentence(
  z.string().transform((text, context) => {
    if (text.trim() === '') return null
    const number = numberIn(text)
    if (number !== undefined && number <= 9_999_999) return number
    context.addIssue('no number')
    return z.NEVER
  }),
  SENTENCE,
).default(null)

const SeenNumber = z
  .string()
  .regex(/^\d{0,8}$/)
  .transform((text) => (text === '' ? null : Number(text)))
const SeenInstant = z
  .string()
  .transform((text) => (text === '' ? null : Number(text)))
  .pipe(Instant.nullable())

const Fields = z
  .object({
    name: withSentence(ChangeSeries.shape.name, 'Escriba el nombre, hasta 60 caracteres.'),
    book: withSentence(
      z.union([z.string().trim().length(0), line(40)]),
      'Escríbalo con hasta 40 caracteres.',
    ).default(''),
    next: OptionalNumber,
    countedFrom: OptionalNumber,
    seenNext: SeenNumber.default(null),
    seenAt: SeenInstant.default(null),
  })
  .refine(
    ({ next, countedFrom }) => countedFrom === null || (next !== null && countedFrom <= next),
    {
      path: ['countedFrom'],
      message: 'Escriba un número que no pase del siguiente.',
    },
  )

export const handle = { hydrate: true, label: 'Serie' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Serie'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  const seriesId = await orErrorPage(idOf(params.id))
  const series = await orErrorPage(readSeries(system, actor, { seriesId }))
  return {
    name: series.name,
    volumeName: volumeNameOf(volumeWordOf(entity)),
    isStarted: series.next !== null,
    highest: series.highest === null ? null : numberText(series.highest),
    suggested: series.highest === null ? '' : numberText(series.highest + 1),
    values: valuesOf(series),
  }
}

const valuesOf = (series: ReadSeries): Record<string, string> => ({
  ...{ name: series.name, book: series.book ?? '' },
  next: series.next === null ? '' : numberText(series.next),
  seenNext: series.next === null ? '' : String(series.next),
  seenAt: String(series.at ?? ''),
})

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const seriesId = await orErrorPage(idOf(params.id))
  const read = await orErrorPage(readForm(request, context, Fields))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { seenNext, seenAt, book, ...rest } = read.value
  const seen = { at: seenAt, next: seenNext }
  const work = changeSeries(system, actor, { seriesId, book: book || null, seen, ...rest })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (answer.ok)
    return redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash('series-changed') } })
  if (answer.init.status !== 409) await orErrorPage(work)
  if (answer.code === 'stale-version') {
    const current = await orErrorPage(readSeries(system, actor, { seriesId }))
    return data<Answer>({ errors: { form: [STALE] }, values: valuesOf(current) }, answer.init)
  }
  const field = answer.code === 'series-known' ? 'name' : 'next'
  return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
}

async function idOf(text: string | undefined): Promise<NumberSeriesId> {
  const id = NumberSeriesId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a series')
  return id.data
}

export default function SeriesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, volumeName, isStarted, highest, suggested } = loaderData
  const { errors, values = loaderData.values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead title={name} lead={<PageLink to={PATH}>Volver a la numeración</PageLink>} />
      <Sheet>
        <PostForm key={values.seenAt} className={form.form} noValidate>
          <FormRefusal errors={errors?.form} />
          <input type="hidden" name="seenNext" value={values.seenNext ?? ''} />
          <input type="hidden" name="seenAt" value={values.seenAt ?? ''} />
          <p className={css.lead}>
            {highest === null
              ? 'Ningún documento tiene todavía un número de esta serie.'
              : `El número más alto que ya tiene un documento es ${highest}.`}
          </p>
          <TextField
            name="name"
            label="Nombre de la serie"
            required
            maxLength={60}
            autoComplete="off"
            defaultValue={values.name ?? ''}
            errors={errors?.name}
          />
          <TextField
            name="next"
            label="Número siguiente"
            help={
              isStarted
                ? 'Si lo adelanta, los números que salte quedan como faltantes. No puede volver atrás de números ya dados.'
                : 'El que tomará el próximo instrumento. Desde él la numeración es consecutiva.'
            }
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            defaultValue={values.next || (isStarted ? '' : suggested)}
            errors={errors?.next}
          />
          {!isStarted && (
            <TextField
              name="countedFrom"
              label="Contar los que faltan desde (opcional)"
              help="Un número anterior: los que ningún documento tenga desde ahí se listan como faltantes. Vacío: se cuentan desde el siguiente."
              inputMode="numeric"
              autoComplete="off"
              maxLength={10}
              defaultValue={values.countedFrom ?? ''}
              errors={errors?.countedFrom}
            />
          )}
          <TextField
            name="book"
            label={`${volumeName} en curso`}
            help="Se anota en cada instrumento que toma un número."
            autoComplete="off"
            maxLength={40}
            defaultValue={values.book ?? ''}
            errors={errors?.book}
          />
          <SubmitButton>Guardar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
