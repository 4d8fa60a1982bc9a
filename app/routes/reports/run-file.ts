import { actorContext, systemContext } from '#app/http/context.ts'
import { fileAnswer, orErrorText } from '#app/http/file-answer.ts'
import { ReportRunId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { FORMAT_TYPES } from '#server/domain/reports/report-format.ts'
import { openReport } from '#server/features/reports/report-runs.ts'
import type { Route } from './+types/run-file'

/** Downloads the file of a report that was made apart. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const system = context.get(systemContext)
  const { run, file } = await orErrorText(open())
  const { officeId } = run
  return await fileAnswer(request, {
    ...{ name: file.name, type: FORMAT_TYPES[run.format] },
    ...{ size: file.bytes, sha256: file.sha256 },
    stream: (start, end) => system.blobs.stream({ officeId, sha256: file.sha256 }, start, end),
  })

  async function open() {
    const id = ReportRunId.safeParse(params.id)
    if (!id.success) throw new Problem('not-found', 'no id of a report')
    return await openReport(system, context.get(actorContext), id.data)
  }
}
