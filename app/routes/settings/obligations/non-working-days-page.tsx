import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { Day } from '#server/domain/day.ts'
import { dayText } from '#server/domain/documents/instrument.ts'
import { NonWorkingDayData } from '#server/domain/obligations/non-working-day.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { parseInstant } from '#server/domain/time.ts'
import {
  addNonWorkingDay,
  listNonWorkingDays,
  removeNonWorkingDay,
} from '#server/features/obligations/non-working-days.ts'
import { FEDERAL_SOURCE, federalDays, NO_SOURCE } from '#server/words/obligations.ts'
import type { Route } from './+types/non-working-days-page'
import css from './obligations.module.css'

const LIST = '/dashboard/settings/obligations'
const PATH = `${LIST}/days`

export const handle = { hydrate: true, label: 'Días inhábiles' }

export const meta: Route.MetaFunction = () => [{ title: 'Días inhábiles · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { own, federal } = await orErrorPage(listNonWorkingDays(system, actor))
  return {
    own: own.map(({ day, name, source }) => ({
      ...{ day: day as string, ...shown(day), name, source: source ?? NO_SOURCE },
    })),
    federal: federal.map(({ day, name }) => ({ ...shown(day), name: federalDays[name] })),
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'obligations.manage'),
  }
}

const shown = (day: Day) => ({ at: parseInstant(day) as number, text: dayText(day) })

const { name, source } = NonWorkingDayData.shape

const Fields = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('add'),
    day: withSentence(Day, 'Escriba una fecha que exista, como 2026-12-24.'),
    name: withSentence(name, 'Escriba qué día es, hasta 100 caracteres.'),
    source: withSentence(
      z.union([z.literal(''), source.unwrap()]),
      'Escriba la fuente con hasta 200 caracteres.',
    )
      .default('')
      .transform((text) => text || null),
  }),
  z.object({ intent: z.literal('remove'), day: Day }),
])

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { intent, ...typed } = read.value
  if (intent === 'remove') {
    await orErrorPage(removeNonWorkingDay(system, actor, typed))
    return redirectWith('non-working-day-removed')
  }
  const answer = await refusalOnPage(addNonWorkingDay(system, actor, typed as NonWorkingDayData))
  if (answer.ok) return redirectWith('non-working-day-added')
  const field = answer.code === 'non-working-day-known' ? 'day' : 'form'
  return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
}

const redirectWith = (notice: Parameters<typeof flash>[0]) =>
  redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash(notice) } })

const COLUMNS = [{ name: 'Día' }, { name: 'Nombre' }, { name: 'Fuente' }, { name: 'Acción' }]

export default function NonWorkingDays({ loaderData, actionData }: Route.ComponentProps) {
  const { own, federal, canManage } = loaderData
  const { errors, values = {} }: Answer = actionData ?? {}
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
    autoComplete: 'off',
  })
  return (
    <>
      <PageHead
        title="Días inhábiles"
        lead={<PageLink to={LIST}>Volver a los plazos y fuentes</PageLink>}
      />
      <p className={css.lead}>
        Además de sábados y domingos. No se cuentan en los plazos de días hábiles; los vencimientos
        pendientes se cuentan de nuevo cuando cambia la lista.
      </p>
      <Sheets>
        <Sheet title="De la notaría">
          {own.length === 0 ? (
            <EmptyState>
              La lista está vacía: agregue los días del estado, de la autoridad y de la notaría.
            </EmptyState>
          ) : (
            <Table
              caption="Días inhábiles de la notaría"
              columns={canManage ? COLUMNS : COLUMNS.slice(0, 3)}
            >
              {own.map((row) => (
                <Row key={row.day}>
                  <Cell label="Día" isWhole>
                    <Time at={row.at}>{row.text}</Time>
                  </Cell>
                  <Cell isTitle>{row.name}</Cell>
                  <Cell label="Fuente">{row.source}</Cell>
                  {canManage && (
                    <Cell label="Acción">
                      <PostForm>
                        <input type="hidden" name="intent" value="remove" />
                        <input type="hidden" name="day" value={row.day} />
                        <SubmitButton variant="subtle" color="bad" size="compact-sm">
                          Quitar
                          <span className="visually-hidden"> {row.text}</span>
                        </SubmitButton>
                      </PostForm>
                    </Cell>
                  )}
                </Row>
              ))}
            </Table>
          )}
        </Sheet>
        {canManage && (
          <Sheet title="Agregar un día">
            <PostForm key={own.length} className={form.form} noValidate>
              <input type="hidden" name="intent" value="add" />
              <FormRefusal errors={errors?.form} />
              <TextField {...field('day')} type="date" label="Día" required />
              <TextField {...field('name')} label="Nombre" required maxLength={100} />
              <TextField
                {...field('source')}
                label="Fuente (opcional)"
                help="El acuerdo o la circular que lo dice, con su fecha."
                maxLength={200}
              />
              <SubmitButton>Agregar día</SubmitButton>
            </PostForm>
          </Sheet>
        )}
        <Sheet title="Federales">
          <p className={css.lead}>
            {FEDERAL_SOURCE}. Los días de elecciones los agrega la notaría.
          </p>
          <Table
            caption="Días de descanso federales"
            columns={[{ name: 'Día' }, { name: 'Nombre' }]}
          >
            {federal.map((row) => (
              <Row key={row.at}>
                <Cell label="Día" isWhole>
                  <Time at={row.at}>{row.text}</Time>
                </Cell>
                <Cell isTitle>{row.name}</Cell>
              </Row>
            ))}
          </Table>
        </Sheet>
      </Sheets>
    </>
  )
}
