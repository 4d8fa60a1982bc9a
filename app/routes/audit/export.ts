import { redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { linesAnswer, orErrorText } from '#app/http/file-answer.ts'
import { refusalOf } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import { ExportLog, exportLog } from '#server/features/audit/export-log.ts'
import type { Route } from './+types/export'
import { csvOf, jsonLinesOf } from './log-file.ts'
import { LogQuery } from './log-query.ts'

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const

/** Downloads the filtered events, streamed. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const work = read()
  const answer = await refusalOf(work)
  // The page of the log says why, and what to do.
  if (!answer.ok && answer.code === 'search-too-wide')
    return redirect(`/dashboard/audit${url.search}`, 303)
  const { format, timeZone, events } = await orErrorText(work)
  const lines = format === 'csv' ? csvOf(events, timeZone) : jsonLinesOf(events)
  return linesAnswer(`bitácora.${format}`, TYPES[format], lines)

  async function read() {
    const { before: _, subject, ...filter } = LogQuery.parse(Object.fromEntries(url.searchParams))
    const format = params.file?.replace(/^bitacora\./, '')
    const query = ExportLog.safeParse({ ...filter, subjectId: subject, format })
    if (!query.success) throw new Problem('not-found', `no file ${params.file} of the log`)
    const log = await exportLog(context.get(systemContext), context.get(actorContext), query.data)
    return { ...log, format: query.data.format }
  }
}
