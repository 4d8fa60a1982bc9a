import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import css from '#app/routes/settings/office.module.css'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { numberText } from '#server/domain/documents/numbers/series-number.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { AddSeries, addSeries } from '#server/features/numbers/add-series.ts'
import { listSeries } from '#server/features/numbers/list-series.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/list'

const PATH = '/dashboard/settings/numbers'

const Fields = z.object({
  name: withSentence(AddSeries.shape.name, 'Escriba el nombre de la serie, hasta 60 caracteres.'),
  once: AddSeries.shape.once,
})

export const handle = { hydrate: true, label: 'Numeración' }

export const meta: Route.MetaFunction = () => [{ title: 'Numeración · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  const series = await orErrorPage(listSeries(system, actor))
  return {
    volumeName: volumeNameOf(volumeWordOf(entity)),
    rows: series.map(({ id, name, next, book }) => ({
      ...{ id: id as string, name, book },
      next: next === null ? 'Sin empezar' : numberText(next),
    })),
    once: newOnce(),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const work = addSeries(system, actor, read.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    return data<Answer>({ errors: { name: [answer.sentence] }, values }, answer.init)
  }
  return redirect(`${PATH}/${answer.value}`, {
    status: 303,
    headers: { 'Set-Cookie': flash('series-added') },
  })
}

export default function SeriesList({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, volumeName, once } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  const columns = [
    { name: 'Serie' },
    { name: 'Número siguiente', isNumber: true },
    { name: volumeName },
  ]
  return (
    <>
      <PageHead
        title="Numeración"
        lead={
          <>
            De dónde salen los números de instrumentos. Cada serie es un registro con números
            propios. <PageLink to="/dashboard/documents/numbers">Ver los números</PageLink>
          </>
        }
      />
      <Sheets>
        <Table caption="Series de números" columns={columns}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink>
              </Cell>
              <Cell label="Número siguiente" isNumber>
                {row.next}
              </Cell>
              <Cell label={volumeName}>{row.book}</Cell>
            </Row>
          ))}
        </Table>
        <Sheet title="Agregar una serie">
          <p className={css.lead}>
            Para otro libro o registro que la ley de su estado numere aparte, por ejemplo las actas
            fuera de protocolo.
          </p>
          <PostForm className={form.form} noValidate>
            <FormRefusal errors={errors?.form} />
            <OnceField once={values?.once ?? once} />
            <TextField
              name="name"
              label="Nombre"
              required
              maxLength={60}
              autoComplete="off"
              defaultValue={values?.name ?? ''}
              errors={errors?.name}
            />
            <SubmitButton>Agregar serie</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
