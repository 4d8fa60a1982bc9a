import { Readable } from 'node:stream'
import { redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { attachment, orErrorText } from '#app/http/file-answer.ts'
import { refusalOf } from '#app/http/problems.ts'
import { Problem } from '#server/domain/problem.ts'
import { ExportLog, exportLog } from '#server/features/audit/export-log.ts'
import type { Route } from './+types/export'
import { csvOf, jsonLinesOf } from './log-file.ts'
import { LogQuery } from './log-query.ts'

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' }

/** Downloads the filtered events, streamed. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const work = read()
  const answer = await refusalOf(work)
  // The page of the log says why, and what to do.
  if (!answer.ok && answer.code === 'search-too-wide')
    return redirect(`/dashboard/audit${url.search}`, 303)
  const { format, timeZone, events } = await orErrorText(work)
  const lines = format === 'csv' ? csvOf(events, timeZone) : jsonLinesOf(events)
  return new Response(Readable.toWeb(Readable.from(lines)) as ReadableStream, {
    headers: {
      'Cache-Control': 'no-store',
      'Content-Disposition': attachment(`bitácora.${format}`),
      'Content-Type': TYPES[format],
      'X-Robots-Tag': 'noindex',
    },
  })

  async function read() {
    const { before: _, subject, ...filter } = LogQuery.parse(Object.fromEntries(url.searchParams))
    const format = params.file?.replace(/^bitacora\./, '')
    const query = ExportLog.safeParse({ ...filter, subjectId: subject, format })
    if (!query.success) throw new Problem('not-found', `no file ${params.file} of the log`)
    const log = await exportLog(context.get(systemContext), context.get(actorContext), query.data)
    return { ...log, format: query.data.format }
  }
}
