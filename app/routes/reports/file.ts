import { actorContext, systemContext } from '#app/http/context.ts'
import { madeAnswer, orErrorText } from '#app/http/file-answer.ts'
import { Problem } from '#server/domain/problem.ts'
import { ReportFormat } from '#server/domain/reports/report-format.ts'
import { ReportKind } from '#server/domain/reports/report-kind.ts'
import { exportInstruments, exportReport } from '#server/features/reports/export-report.ts'
import type { Route } from './+types/file'
import { IndexQuery } from './index-query.ts'
import { PeriodQuery } from './period-query.ts'

/** Downloads a report, made while it is read. */
export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Object.fromEntries(url.searchParams)
  const { name, type, chunks } = await orErrorText(made())
  return madeAnswer(name, type, chunks)

  async function made() {
    const kind = ReportKind.safeParse(params.kind).data
    const format = ReportFormat.safeParse(url.searchParams.get('as')).data
    if (!kind || !format) throw new Problem('not-found', 'no such report or format')
    if (kind === 'instruments') {
      const { series: seriesId, behind: _, ...range } = IndexQuery.parse(query)
      const form = { format, signal: request.signal }
      return await exportInstruments(system, actor, { seriesId, ...range }, form)
    }
    const asked = { kind, ...PeriodQuery.parse(query) }
    return await exportReport(system, actor, asked, { format, signal: request.signal })
  }
}
