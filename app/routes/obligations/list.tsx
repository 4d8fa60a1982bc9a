import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { deadlineRow } from '#app/http/documents/deadline-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import toolbar from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { dayText } from '#server/domain/documents/instrument.ts'
import {
  ListDeadlines,
  listDeadlines,
  MOST_DEADLINES_COUNTED,
} from '#server/features/obligations/list-deadlines.ts'
import { NOT_ADVICE } from '#server/words/obligations.ts'
import { monthText } from '#server/words/reports.ts'
import type { Route } from './+types/list'
import { DeadlineTable } from './deadline-table.tsx'
import { MonthTable } from './month-table.tsx'
import { monthView } from './month-view.ts'
import { ObligationFilter } from './obligation-filter.tsx'
import css from './obligations.module.css'
import { OBLIGATIONS_PATH as PATH } from './obligations-path.ts'

const { show, obligationId, month, day, behind } = ListDeadlines.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({
  show: show.catch('open'),
  obligation: obligationId.catch(undefined),
  month: month.catch(undefined),
  day: day.catch(undefined),
  behind: behind.catch(undefined),
})

export const handle = { hydrate: true, label: 'Obligaciones' }

export const meta: Route.MetaFunction = () => [{ title: 'Obligaciones · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { obligation, ...asked } = Query.parse(Object.fromEntries(url.searchParams))
  const page = await orErrorPage(
    listDeadlines(system, actor, { ...asked, obligationId: obligation }),
  )
  return {
    rows: page.deadlines.map((one) => deadlineRow(one, page.today)),
    next: page.next,
    asked: { show: asked.show, month: asked.month, day: asked.day, obligation },
    stretch: asked.day ? dayText(asked.day) : asked.month && monthText(asked.month),
    isLaterPage: asked.behind !== undefined,
    counts: Object.fromEntries(
      Object.entries(page.counts).map(([name, count]) => [
        name,
        countText(count, MOST_DEADLINES_COUNTED),
      ]),
    ) as Record<keyof typeof page.counts, string>,
    obligations: page.obligations.map(({ id, name }) => ({ value: id as string, label: name })),
    month: monthView(page),
  }
}

const SHOWN = {
  open: 'Pendientes',
  late: 'Vencidas',
  week: 'Próximos 7 días',
  done: 'Cumplidas',
  'not-applicable': 'No aplican',
} as const

export default function ObligationList({ loaderData }: Route.ComponentProps) {
  const { rows, next, asked, stretch, counts, isLaterPage } = loaderData
  const isFiltered = asked.show !== 'open' || asked.obligation !== undefined || stretch
  const chips = Object.entries(SHOWN).map(([key, name]) => ({
    to: address(PATH, { show: key, obligation: asked.obligation }),
    name,
    isActive: asked.show === key && !stretch,
    ...(key in counts && { count: counts[key as keyof typeof counts] }),
  }))
  return (
    <>
      <PageHead
        title="Obligaciones"
        lead={
          <>
            Avisos y entregas de la notaría, por fecha.{' '}
            <PageLink to="/dashboard/settings/obligations">Ver plazos y fuentes</PageLink>
          </>
        }
        action={
          <ButtonLink to="/dashboard/profile/calendar" variant="default">
            Verlas en mi calendario
          </ButtonLink>
        }
      />
      <p className={css.advice}>{NOT_ADVICE}</p>
      <div className={toolbar.toolbar}>
        <Chips label="Qué se muestra" chips={chips} />
        <ObligationFilter asked={asked} obligations={loaderData.obligations} />
      </div>
      <div className={css.columns}>
        <section aria-label={stretch ? `Vencen: ${stretch}` : SHOWN[asked.show]}>
          {stretch && (
            <p className={css.advice}>
              Vencen: {stretch}.{' '}
              <PageLink to={address(PATH, { obligation: asked.obligation })}>Ver todas</PageLink>
            </p>
          )}
          {rows.length > 0 ? (
            <DeadlineTable rows={rows} />
          ) : (
            <EmptyState
              next={isFiltered && <PageLink to={PATH}>Ver todas las pendientes</PageLink>}
            >
              {isFiltered
                ? 'Ninguna obligación coincide con los filtros.'
                : 'No hay obligaciones pendientes. Aparecen cuando se firma un documento del tipo o acto que las causa, y cada mes.'}
            </EmptyState>
          )}
          <Paging
            of="obligaciones"
            names={{ newer: 'Volver al principio', older: 'Siguientes' }}
            newer={isLaterPage ? address(PATH, asked) : undefined}
            older={next && address(PATH, { ...asked, behind: next })}
          />
        </section>
        <MonthTable view={loaderData.month} obligation={asked.obligation} day={asked.day} />
      </div>
    </>
  )
}
