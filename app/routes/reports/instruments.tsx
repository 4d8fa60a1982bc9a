import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import toolbar from '#app/ui/lists/list-toolbar.module.css'
import { Paging } from '#app/ui/lists/paging.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { volumeNameOf } from '#server/domain/documents/instrument.ts'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { indexRow } from '#server/features/reports/index-rows.ts'
import { readInstrumentIndex } from '#server/features/reports/instrument-index.ts'
import { reportLeads, reportNames } from '#server/words/reports.ts'
import type { Route } from './+types/instruments'
import { Downloads } from './downloads.tsx'
import { IndexQuery } from './index-query.ts'
import { IndexRange } from './index-range.tsx'
import { IndexTable } from './index-table.tsx'
import { ReportHead } from './report-head.tsx'
import css from './reports.module.css'
import { REPORTS_PATH } from './reports-path.ts'
import { RequestForm } from './request-form.tsx'

const PATH = `${REPORTS_PATH}/instruments`
const NUMBERS_PATH = '/dashboard/documents/numbers'

export const handle = { hydrate: true, label: 'Índice de instrumentos' }

export const meta: Route.MetaFunction = () => [{ title: 'Índice de instrumentos · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { series: seriesId, ...asked } = IndexQuery.parse(Object.fromEntries(url.searchParams))
  const index = await orErrorPage(readInstrumentIndex(system, actor, { seriesId, ...asked }))
  const { entity } = await orErrorPage(readOffice(system, actor))
  return {
    name: reportNames.instruments,
    lead: reportLeads.instruments,
    rows: index.lines.map(indexRow),
    hasTexts: index.hasTexts,
    next: index.next,
    series: index.series.map(({ id, name }) => ({ id: id as string, name })),
    shown: index.shown.id as string,
    first: asked.first,
    last: asked.last,
    from: asked.from,
    to: asked.to,
    isTooLong: index.isTooLong,
    isLaterPage: asked.behind !== undefined,
    volumeName: volumeNameOf(volumeWordOf(entity)),
  }
}

export default function InstrumentIndex({ loaderData }: Route.ComponentProps) {
  const { name, lead, rows, next, series, shown, first, last, isLaterPage, volumeName } = loaderData
  const { hasTexts, isTooLong, from, to } = loaderData
  const isAskedFor = [first, last, from, to].some((limit) => limit !== undefined)
  const range = { first: first?.toString(), last: last?.toString(), from, to }
  const asked = { series: shown, ...range }
  return (
    <>
      <ReportHead name={name} lead={lead} />
      <div className={toolbar.toolbar}>
        <Chips
          label="Serie"
          chips={series.map(({ id, name: called }) => ({
            ...{ to: address(PATH, { series: id }), name: called, isActive: id === shown },
          }))}
        />
        <IndexRange series={shown} first={first} last={last} from={from} to={to} />
      </div>
      {isTooLong ? (
        <>
          <Notice tone="note">
            Esta serie tiene demasiados números para buscar por fecha en el momento. Prepare el
            índice como archivo, o elija también números.
          </Notice>
          <RequestForm kind="instruments" query={{ seriesId: shown, ...range }} />
        </>
      ) : rows.length > 0 ? (
        <>
          <Downloads kind="instruments" query={asked} />
          {(next !== undefined || isLaterPage) && (
            <RequestForm kind="instruments" query={{ seriesId: shown, ...range }} />
          )}
          {hasTexts && (
            <p className={css.note}>
              Sin orden por número:{' '}
              <PageLink to={address(NUMBERS_PATH, { series: shown, show: 'texts' })}>
                instrumentos fuera del registro
              </PageLink>
            </p>
          )}
          <IndexTable rows={rows} volumeName={volumeName} />
        </>
      ) : (
        <EmptyState
          next={
            isAskedFor && (
              <PageLink to={address(PATH, { series: shown })}>Ver todo el índice</PageLink>
            )
          }
        >
          {isAskedFor
            ? 'No hay instrumentos con esos números y fechas.'
            : 'Esta serie todavía no tiene números.'}
        </EmptyState>
      )}
      <Paging
        of="instrumentos"
        newer={isLaterPage ? address(PATH, asked) : undefined}
        older={next === undefined ? undefined : address(PATH, { ...asked, behind: String(next) })}
      />
    </>
  )
}
