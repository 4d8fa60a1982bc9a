import { redirect } from 'react-router'
import { systemContext } from '#app/http/context.ts'
import { answeringFile } from '#app/http/file-answer.ts'
import type { Route } from './+types/upload-report'
import { judgeUpload, NO_FILE } from './judge-upload.ts'
import { reportAnswer, reportAsJson } from './report-answer.ts'

/** Whoever opens the address without a file finds the form. */
export function loader() {
  throw redirect('/verify/document')
}

/** The verdict about a file that is sent with the form, as a file: whoever sent it can read in it who signed. */
export async function action({ request, context }: Route.ActionArgs) {
  const verified = await answeringFile(judgeUpload(request, context))
  if (!verified)
    throw new Response(NO_FILE, {
      status: 422,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    })
  const { report, verifiedAt } = verified
  const { isDemo } = context.get(systemContext).settings
  const stem = report.file.replace(/\.pdf$/i, '')
  const json = reportAsJson(report, { verifiedAt, isDemo })
  return reportAnswer(json, `dictamen ${stem}.json`, 'application/json')
}
