import { redirect } from 'react-router'
import { systemContext } from '#app/http/context.ts'
import { answeringFile } from '#app/http/file-answer.ts'
import type { Route } from './+types/upload-report'
import { judgeUpload, NO_FILE } from './judge-upload.ts'
import { reportAnswer, reportAsJson } from './report-answer.ts'
import { reportText } from './report-text.ts'
import { uploadFacts, uploadView } from './upload-view.ts'

/** Whoever opens the address without a file finds the form. */
export function loader() {
  throw redirect('/verify/document')
}

/** The verdict about a file that is sent with the form, as a file. Neither of them is kept. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const verified = await answeringFile(judgeUpload(request, context))
  if (!verified)
    throw new Response(NO_FILE, {
      status: 422,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    })
  const { settings, pdf } = context.get(systemContext)
  const { report, verifiedAt } = verified
  const { isDemo, publicOrigin } = settings
  const name = `dictamen ${report.file.replace(/\.pdf$/i, '')}`
  if (url.pathname.endsWith('.pdf')) {
    const foot = `${publicOrigin}/verify/document`
    const text = reportText(uploadView(report, isDemo), uploadFacts(verified), foot)
    return reportAnswer(await answeringFile(pdf.report(text)), `${name}.pdf`, 'application/pdf')
  }
  const json = reportAsJson(report, { verifiedAt, isDemo })
  return reportAnswer(json, `${name}.json`, 'application/json')
}
