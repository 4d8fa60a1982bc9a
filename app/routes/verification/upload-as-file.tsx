import { createContext, data, type RouterContextProvider, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import type { FormErrors } from '#app/http/forms.ts'
import { notIndexed } from '#app/http/page-headers.ts'
import { type Refused, refusalOf } from '#app/http/problems.ts'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { laneOf } from '#server/features/verification/lane-of.ts'
import type { Route } from './+types/upload-as-file'
import { revisionOfUpload } from './extract-revision.ts'
import { errorsOf, judgeUpload, NO_FILE } from './judge-upload.ts'
import { LookupForms } from './lookup-forms.tsx'
import { reportAnswer, reportAsJson } from './report-answer.ts'
import { reportText } from './report-text.ts'
import { uploadFacts, uploadView } from './upload-view.ts'
import css from './verify.module.css'

type RefusedForm = { errors: FormErrors; init: Refused['init'] }

/** The refusal, if there is no download; the page with the form shows it. */
const refusedContext = createContext<RefusedForm | null>(null)

/** Responds to the form of /verify/document with a download. Neither file is stored. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, url, context }, next) => {
    if (request.method !== 'POST') return await next()
    const made = await refusalOf(fileFor(url.pathname, request, context))
    if (made.ok && made.value) return made.value
    const refused = made.ok ? { init: { status: 422 }, sentence: NO_FILE } : made
    context.set(refusedContext, { errors: errorsOf(refused), init: refused.init })
    return await next()
  },
]

function fileFor(
  pathname: string,
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Response | undefined> {
  if (pathname.endsWith('/signed.pdf')) return revisionOfUpload(request, context)
  return reportOfUpload(request, context, pathname.endsWith('.pdf') ? 'pdf' : 'json')
}

async function reportOfUpload(
  request: Request,
  context: Readonly<RouterContextProvider>,
  format: 'pdf' | 'json',
): Promise<Response | undefined> {
  const verified = await judgeUpload(request, context)
  if (!verified) return undefined
  const { settings, pdf } = laneOf(context.get(systemContext), context.get(actorContext))
  const { report, verifiedAt } = verified
  const { isDemo, publicOrigin } = settings
  const name = `informe ${report.file.replace(/\.pdf$/i, '')}.${format}`
  if (format === 'json')
    return reportAnswer(reportAsJson(report, { verifiedAt, isDemo }), name, 'application/json')
  const foot = `${publicOrigin}/verify/document`
  const text = reportText(uploadView(report, isDemo), uploadFacts(verified), { foot, qrCode: null })
  return reportAnswer(await pdf.report(text), name, 'application/pdf')
}

export const meta: Route.MetaFunction = () => [{ title: 'Verificar documento · Rúbrica' }]

export const headers = notIndexed

/** A GET shows the form. */
export function loader({ context }: Route.LoaderArgs) {
  if (context.get(refusedContext) === null) throw redirect('/verify/document')
  return null
}

export function action({ context }: Route.ActionArgs) {
  const { errors, init } = context.get(refusedContext) ?? { errors: {}, init: { status: 422 } }
  return data({ errors }, init)
}

export default function UploadAsFile({ actionData }: Route.ComponentProps) {
  return (
    <div className={css.page}>
      <PageHead
        title="Verificar documento"
        lead="No se pudo hacer el archivo que pidió. Corrija lo que se indica y envíelo de nuevo."
      />
      <LookupForms errors={actionData?.errors} />
    </div>
  )
}
