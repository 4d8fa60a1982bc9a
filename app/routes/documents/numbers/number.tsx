import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { NumberNote } from '#server/domain/documents/numbers/number-entry.ts'
import { numberIn, numberText } from '#server/domain/documents/numbers/series-number.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { explainNumber } from '#server/features/numbers/explain-number.ts'
import { ReadNumber, readNumber } from '#server/features/numbers/read-number.ts'
import { reopenNumber } from '#server/features/numbers/reopen-number.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { countOfNumbers } from '#server/words/numbers.ts'
import type { Route } from './+types/number'
import css from './list.module.css'
import { numberRow } from './number-rows.ts'
import { NUMBERS_PATH } from './numbers-path.ts'

const RANGE = 'Escriba números de esta línea, con cifras: el primero y el último.'

const WrittenNumber = withSentence(
  z.string().transform((text, context) => {
    const number = numberIn(text)
    if (number !== undefined) return number
    context.addIssue('no number')
    return z.NEVER
  }),
  RANGE,
)

const Fields = z.discriminatedUnion('intent', [
  z
    .object({
      intent: z.literal('explain'),
      first: WrittenNumber,
      last: WrittenNumber,
      reason: withSentence(NumberNote, 'Escriba el motivo, hasta 300 caracteres.'),
    })
    .refine(({ first, last }) => first <= last, { path: ['last'], message: RANGE }),
  z.object({ intent: z.literal('reopen') }),
])

export const handle = { hydrate: true, label: 'Número' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.row.number ?? 'Número'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { series, line } = await orErrorPage(readNumber(system, actor, await asked(params)))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { first, last, state } = line.entry
  return {
    row: numberRow(line, timeZone),
    state,
    series: { id: series.id as string, name: series.name },
    range: { first: numberText(first), last: numberText(last) },
    canExplain: isAllowed(mustBeSignedIn(actor).roles, 'numbers.explain') && state !== 'used',
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  const { seriesId, number } = await asked(params)
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  if (read.value.intent === 'reopen') {
    await orErrorPage(reopenNumber(system, actor, { seriesId, number }))
    return redirectTo(seriesId, number, 'number-reopened')
  }
  const { first, last, reason } = read.value
  const answer = await refusalOnPage(
    explainNumber(system, actor, { seriesId, first, last, reason }),
  )
  if (!answer.ok) {
    const errors = { form: [answer.sentence] }
    return data<Answer>({ errors, values: typedIn(context) }, answer.init)
  }
  return redirectTo(seriesId, first, 'number-explained')
}

const redirectTo = (series: string, number: number, notice: Parameters<typeof flash>[0]) =>
  redirect(`${NUMBERS_PATH}/${series}/${number}`, {
    status: 303,
    headers: { 'Set-Cookie': flash(notice) },
  })

/** An address that is none of ours is the page of what was not found. */
const asked = (params: { series?: string; number?: string }) => orErrorPage(numberOf(params))

async function numberOf({ series, number }: { series?: string; number?: string }) {
  const read = ReadNumber.safeParse({ seriesId: series, number: Number(number) })
  if (!read.success) throw new Problem('not-found', `no number ${series} ${number}`)
  return read.data
}

export default function NumberPage({ loaderData, actionData }: Route.ComponentProps) {
  const { row, series, state, canExplain } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title={`${row.number} · ${series.name}`}
        lead={
          <PageLink to={address(NUMBERS_PATH, { series: series.id })}>
            Volver a los números
          </PageLink>
        }
      />
      <Sheets>
        <Sheet title="Registro">
          <FormRefusal errors={errors?.form} />
          <FactList>
            <Fact name="Estado">
              <Badge tone={row.tone}>{row.state}</Badge>
            </Fact>
            <Fact name="Cuántos">{row.count > 1 ? countOfNumbers(row.count) : null}</Fact>
            <Fact name={state === 'used' ? 'Documento' : 'Lo tuvo'}>
              {row.document && (
                <PageLink to={`/dashboard/documents/${row.document.id}`}>
                  {row.document.folio} {row.document.title}
                </PageLink>
              )}
            </Fact>
            <Fact name={state === 'reserved' ? 'Para' : 'Motivo'}>{row.note}</Fact>
            <Fact name="Anotó">{row.by}</Fact>
            <Fact name="Desde">
              <Time at={row.at}>{row.day}</Time>
            </Fact>
          </FactList>
          {state === 'reserved' && (
            <p className={css.lead}>
              Para usarlo, abra su documento, elija “Tomar el siguiente número” y escriba este.
            </p>
          )}
        </Sheet>
        {canExplain && (
          <Sheet title={state === 'unused' ? 'Cambiar el motivo' : 'No se usará'}>
            <p className={css.lead}>
              Anote por qué no se usa, por ejemplo NO PASÓ. El número no se vuelve a dar.
            </p>
            <PostForm key={row.key} className={form.form} noValidate>
              <input type="hidden" name="intent" value="explain" />
              <RangeFields loaderData={loaderData} values={values} errors={errors} />
              <TextField
                name="reason"
                label="Motivo"
                required
                maxLength={300}
                autoComplete="off"
                defaultValue={values?.reason ?? (state === 'unused' ? (row.note ?? '') : '')}
                errors={errors?.reason}
              />
              <SubmitButton>Anotar motivo</SubmitButton>
            </PostForm>
          </Sheet>
        )}
        {canExplain && state === 'unused' && (
          <Sheet title="Quitar el motivo">
            <p className={css.lead}>Si fue un error: el número puede ponerse en un documento.</p>
            <PostForm>
              <input type="hidden" name="intent" value="reopen" />
              <SubmitButton variant="default">Quitar el motivo</SubmitButton>
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}

/** Of a range, a part may have a reason of its own. */
function RangeFields({
  loaderData: { row, range },
  values,
  errors,
}: Pick<Route.ComponentProps, 'loaderData'> & {
  values: Answer['values'] | undefined
  errors: FormErrors | undefined
}) {
  if (row.count === 1)
    return (
      <>
        <input type="hidden" name="first" value={range.first} />
        <input type="hidden" name="last" value={range.last} />
      </>
    )
  return (
    <>
      <TextField
        name="first"
        label="Desde"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={values?.first ?? range.first}
        errors={errors?.first}
      />
      <TextField
        name="last"
        label="Hasta"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={values?.last ?? range.last}
        errors={errors?.last}
      />
    </>
  )
}
