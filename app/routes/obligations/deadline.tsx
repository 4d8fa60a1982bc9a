import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { deadlineRow } from '#app/http/documents/deadline-row.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { DeadlineId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { formatInstant } from '#server/domain/time.ts'
import { readDeadline } from '#server/features/obligations/read-deadline.ts'
import {
  type DeadlineAnswer,
  setDeadlineState,
} from '#server/features/obligations/set-deadline-state.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { NOT_ADVICE, UNCONFIRMED } from '#server/words/obligations.ts'
import type { Route } from './+types/deadline'
import { DeadlineForm } from './deadline-form.ts'
import css from './obligations.module.css'
import { OBLIGATIONS_PATH as PATH } from './obligations-path.ts'

export const handle = { hydrate: true, label: 'Obligación' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.row.name ?? 'Obligación'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const deadlineId = await orErrorPage(idOf(params.id))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const detail = await orErrorPage(readDeadline(system, actor, { deadlineId }))
  const { state, stateSince } = detail.deadline
  return {
    row: deadlineRow(detail, detail.today),
    ...{ state, by: detail.by, today: detail.today as string },
    since: { at: stateSince as number, text: formatInstant(stateSince, timeZone) },
    canMark: isAllowed(mustBeSignedIn(actor).roles, 'obligations.mark') && state !== 'withdrawn',
  }
}

const NOTICES = {
  done: 'deadline-done',
  'not-applicable': 'deadline-not-applicable',
  open: 'deadline-reopened',
} as const satisfies Record<DeadlineAnswer['state'], Parameters<typeof flash>[0]>

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const deadlineId = await orErrorPage(idOf(params.id))
  const read = await orErrorPage(readForm(request, context, DeadlineForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const answer = read.value
  const work = setDeadlineState(system, actor, { deadlineId, answer })
  const refused = await refusalOnPage(work)
  if (refused.ok)
    return redirect(`${PATH}/${deadlineId}`, {
      status: 303,
      headers: { 'Set-Cookie': flash(NOTICES[answer.state]) },
    })
  const field = refused.code === 'done-day-ahead' ? 'doneOn' : 'form'
  return data<Answer>({ errors: { [field]: [refused.sentence] }, values }, refused.init)
}

async function idOf(text: string | undefined): Promise<DeadlineId> {
  const id = DeadlineId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a deadline')
  return id.data
}

export default function DeadlinePage({ loaderData, actionData }: Route.ComponentProps) {
  const { row, state, by, since, canMark, today } = loaderData
  const { errors, values = { doneOn: today } }: Answer = actionData ?? {}
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
    autoComplete: 'off',
  })
  return (
    <>
      <PageHead title={row.name} lead={<PageLink to={PATH}>Volver a las obligaciones</PageLink>} />
      <FormRefusal errors={errors?.form} />
      <Sheets>
        <Sheet title="Vencimiento">
          <FactList>
            <Fact name="Estado">
              <Badge tone={row.tone}>{row.standing}</Badge>
            </Fact>
            <Fact name="Vence">
              <Time at={row.due.at}>{row.due.text}</Time>
            </Fact>
            <Fact name="De">
              {row.document ? <PageLink to={row.document}>{row.about}</PageLink> : row.about}
            </Fact>
            <Fact name="Dónde">{row.channel}</Fact>
            <Fact name="Plazo">{row.term}</Fact>
            <Fact name="Se cuenta desde">{row.base}</Fact>
            <Fact name="Fuente">{row.source}</Fact>
            <Fact name="Revisión">{row.isUnconfirmed ? UNCONFIRMED : null}</Fact>
            <Fact name="Se cumplió">
              {row.done && <Time at={row.done.at}>{row.done.text}</Time>}
            </Fact>
            <Fact name="Acuse">{row.acknowledgement}</Fact>
            <Fact name={state === 'not-applicable' ? 'Motivo' : 'Nota'}>{row.note}</Fact>
            <Fact name="Anotó">
              {by && (
                <>
                  {by}, <Time at={since.at}>{since.text}</Time>
                </>
              )}
            </Fact>
          </FactList>
          <p className={css.quiet}>{NOT_ADVICE}</p>
        </Sheet>
        {canMark && state === 'open' && (
          <>
            <Sheet title="Ya se cumplió">
              <PostForm className={form.form} noValidate>
                <input type="hidden" name="intent" value="done" />
                <TextField {...field('doneOn')} type="date" label="Cuándo" required />
                <TextField
                  {...field('acknowledgement')}
                  label="Número de acuse (opcional)"
                  maxLength={80}
                />
                <TextField {...field('note')} label="Nota (opcional)" maxLength={300} />
                <SubmitButton>Anotar que se cumplió</SubmitButton>
              </PostForm>
            </Sheet>
            <Sheet title="No aplica">
              <PostForm className={form.form} noValidate>
                <input type="hidden" name="intent" value="not-applicable" />
                <TextField {...field('reason')} label="Motivo" maxLength={300} required />
                <SubmitButton variant="default">Anotar que no aplica</SubmitButton>
              </PostForm>
            </Sheet>
          </>
        )}
        {canMark && state !== 'open' && (
          <Sheet title="Volver a dejarla pendiente">
            <p className={css.advice}>
              Si se anotó por error. Quién lo hizo y cuándo queda en la bitácora.
            </p>
            <PostForm>
              <input type="hidden" name="intent" value="open" />
              <SubmitButton variant="default">Dejar pendiente</SubmitButton>
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
