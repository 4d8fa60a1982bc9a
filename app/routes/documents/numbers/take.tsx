import { data, redirect } from 'react-router'
import { z } from 'zod'
import { flashOfNumber } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { documentRequest } from '#app/routes/documents/document-request.ts'
import { isAboutNumber } from '#app/routes/documents/instrument-form.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { seriesOfKind } from '#server/domain/documents/numbers/number-series.ts'
import { numberIn } from '#server/domain/documents/numbers/series-number.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { readEditable } from '#server/features/documents/edit-draft.ts'
import { listSeries } from '#server/features/numbers/list-series.ts'
import { TakeNumber, takeNumber } from '#server/features/numbers/take-number.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/take'
import css from './list.module.css'
import { NUMBERS_PATH } from './numbers-path.ts'

const OptionalNumber = withSentence(
  z.string().transform((text, context) => {
    if (text.trim() === '') return null
    const number = numberIn(text)
    if (number !== undefined) return number
    context.addIssue('no number')
    return z.NEVER
  }),
  'Escriba el número con cifras, como 4,530. Uno con letras se escribe al editar los datos.',
).default(null)

const Fields = z.object({
  series: withSentence(TakeNumber.shape.seriesId, 'Elija la serie.'),
  number: OptionalNumber,
})

export const handle = { hydrate: true, label: 'Número de instrumento' }

export const meta: Route.MetaFunction = () => [{ title: 'Número de instrumento · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const document = await orErrorPage(readEditable(system, actor, { documentId }))
  const series = await orErrorPage(listSeries(system, actor))
  const { entity } = await orErrorPage(readOffice(system, actor))
  const word = volumeWordOf(entity)
  return {
    address: `/dashboard/documents/${documentId}`,
    title: document.title,
    number: document.instrument?.number ?? null,
    own: (seriesOfKind(document.kind) ?? series[0]?.id ?? '') as string,
    series: series.map(({ id, name, next, book }) => ({
      value: id as string,
      label: `${name}: ${next === null ? 'sin número siguiente' : `sigue el ${next.toLocaleString('es-MX')}${book ? ` (${word} ${book})` : ''}`}`,
    })),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentRequest(params, context))
  const read = await orErrorPage(readForm(request, context, Fields))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { series: seriesId, number } = read.value
  const answer = await refusalOnPage(takeNumber(system, actor, { documentId, seriesId, number }))
  if (!answer.ok) {
    const isInField = isAboutNumber(answer) && number !== null
    const errors = { [isInField ? 'number' : 'form']: [answer.sentence] }
    return data<Answer>({ errors, values }, answer.init)
  }
  const message = answer.value.isOutside ? 'number-outside' : 'number-taken'
  return redirect(`/dashboard/documents/${documentId}`, {
    status: 303,
    headers: { 'Set-Cookie': flashOfNumber(message, answer.value.number) },
  })
}

export default function TakeNumberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { address, title, number, series, own } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Número de instrumento"
        lead={<PageLink to={address}>Volver a {title}</PageLink>}
      />
      <Sheet>
        {number !== null && !errors ? (
          <Notice tone="note" isLive={false}>
            {`Este documento ya tiene el número ${number}. Se cambia al editar sus datos.`}
          </Notice>
        ) : (
          <PostForm className={form.form} noValidate>
            <FormRefusal errors={errors?.form} />
            <p className={css.lead}>
              El número que sigue se toma al enviar el formulario: dos personas nunca reciben el
              mismo. Folios, fecha y acto se escriben después, al editar los datos.
            </p>
            <SelectField
              name="series"
              label="Serie"
              data={series}
              defaultValue={values?.series ?? own}
              errors={errors?.series}
            />
            <TextField
              name="number"
              label="Otro número (opcional)"
              help="Déjelo vacío para tomar el siguiente. Escriba aquí uno que se apartó antes, o uno fuera de la secuencia."
              inputMode="numeric"
              autoComplete="off"
              maxLength={40}
              defaultValue={values?.number ?? ''}
              errors={errors?.number}
            />
            <SubmitButton>Tomar número</SubmitButton>
            <PageLink to={NUMBERS_PATH}>Ver los números apartados y los que faltan</PageLink>
          </PostForm>
        )}
      </Sheet>
    </>
  )
}
