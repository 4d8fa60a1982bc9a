import { useEffect } from 'react'
import { data, redirect, useRevalidator } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import type { Tone } from '#app/ui/feedback/tone.ts'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { Item, ItemList } from '#app/ui/lists/item-list.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { SeriesNumber } from '#server/domain/documents/numbers/series-number.ts'
import { ReportRunId } from '#server/domain/ids.ts'
import type { RunState } from '#server/domain/reports/report-run.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { discardReport, listReportRuns } from '#server/features/reports/report-runs.ts'
import { RequestReport, requestReport } from '#server/features/reports/request-report.ts'
import type { Route } from './+types/files'
import { ReportHead } from './report-head.tsx'
import css from './reports.module.css'
import { FILES_PATH, REPORTS_PATH } from './reports-path.ts'
import { type ShownRun, shownRun } from './run-view.ts'

export const handle = { hydrate: true, label: 'Reportes' }

export const meta: Route.MetaFunction = () => [{ title: 'Archivos de reportes · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { own, monthly } = await orErrorPage(listReportRuns(system, actor))
  const { timeZone, reportSchedule } = await orErrorPage(readOffice(system, actor))
  return {
    own: own.map((run) => shownRun(run, timeZone)),
    monthly: monthly.map((run) => shownRun(run, timeZone)),
    isMonthly: reportSchedule === 'monthly',
  }
}

const SentNumber = z.coerce.number<string>().pipe(SeriesNumber).optional()

/** The forms of this page and of the reports, by their hidden field. */
const RunForm = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('request'),
    ...RequestReport.shape,
    ...{ first: SentNumber, last: SentNumber },
  }),
  z.object({ intent: z.literal('discard'), id: ReportRunId }),
])

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, RunForm))
  if (!form.ok)
    return data({ refusal: 'La solicitud llegó incompleta. Pida el reporte otra vez.' }, 422)
  const isRequest = form.value.intent === 'request'
  const answer = await refusalOnPage(decide(form.value))
  if (!answer.ok) return data({ refusal: answer.sentence }, answer.init)
  const notice = isRequest ? 'report-requested' : 'report-discarded'
  return redirect(FILES_PATH, { status: 303, headers: { 'Set-Cookie': flash(notice) } })

  async function decide(value: z.infer<typeof RunForm>): Promise<void> {
    if (value.intent === 'discard') return await discardReport(system, actor, value.id)
    const { intent: _, ...asked } = value
    await requestReport(system, actor, asked)
  }
}

/** Milliseconds between two looks while a report is made. */
const LOOK_EVERY = 3000

export default function ReportFiles({ loaderData, actionData }: Route.ComponentProps) {
  const { own, monthly, isMonthly } = loaderData
  const isWaiting = [...own, ...monthly].some(({ state }) => state === 'waiting')
  useFreshPage(isWaiting)
  return (
    <>
      <ReportHead
        name="Archivos de reportes"
        lead="Los reportes que se hacen aparte, en segundo plano. Cada archivo espera siete días."
      />
      <FormRefusal errors={actionData ? [actionData.refusal] : undefined} />
      <div className={css.sections}>
        <Section
          title="Los que usted pidió"
          aside={isWaiting && <PageLink to={FILES_PATH}>Actualizar</PageLink>}
        >
          {own.length > 0 ? (
            <Runs runs={own} />
          ) : (
            <EmptyState next={<PageLink to={REPORTS_PATH}>Ver los reportes</PageLink>}>
              No ha pedido ninguno. Se piden en la página de cada reporte.
            </EmptyState>
          )}
        </Section>
        {(isMonthly || monthly.length > 0) && (
          <Section title="Los de cada mes">
            {monthly.length > 0 ? (
              <Runs runs={monthly} />
            ) : (
              <EmptyState>Los del mes pasado se hacen en unos minutos.</EmptyState>
            )}
          </Section>
        )}
      </div>
    </>
  )
}

/** With scripts the page follows the report; without, it has a link. */
function useFreshPage(isWaiting: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void revalidate(), LOOK_EVERY)
    return () => clearInterval(timer)
  }, [isWaiting, revalidate])
}

const STATES: Record<RunState, { tone: Tone; word: string }> = {
  waiting: { tone: 'note', word: 'En proceso' },
  ready: { tone: 'good', word: 'Listo' },
  failed: { tone: 'bad', word: 'No se pudo hacer' },
  discarded: { tone: 'plain', word: 'Descartado' },
  expired: { tone: 'plain', word: 'Vencido' },
}

function Runs({ runs }: { runs: readonly ShownRun[] }) {
  return (
    <ItemList>
      {runs.map((run) => (
        <Item
          key={run.id}
          icon="report"
          name={
            run.state === 'ready' ? (
              <PageLink to={`${FILES_PATH}/${run.id}`} reloadDocument>
                {run.name}
              </PageLink>
            ) : (
              run.name
            )
          }
          badge={<Badge tone={STATES[run.state].tone}>{STATES[run.state].word}</Badge>}
          action={
            run.isOwn && ['waiting', 'ready'].includes(run.state) && <DiscardForm run={run} />
          }
        >
          <p>{run.facts}</p>
          <p>{run.status}</p>
          {run.state === 'waiting' && (
            <progress max={100} value={run.percent} aria-label={run.name} />
          )}
        </Item>
      ))}
    </ItemList>
  )
}

const DiscardForm = ({ run: { id, name } }: { run: ShownRun }) => (
  <PostForm preventScrollReset>
    <input type="hidden" name="intent" value="discard" />
    <input type="hidden" name="id" value={id} />
    <SubmitButton color="bad" variant="light" size="xs" aria-label={`Descartar ${name}`}>
      Descartar
    </SubmitButton>
  </PostForm>
)
