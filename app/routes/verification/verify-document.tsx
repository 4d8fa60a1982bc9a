import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import type { PageHandle } from '#app/http/page-handle.ts'
import { notIndexed } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { FindByCode, findByCode, isMistyped } from '#server/features/verification/find-by-code.ts'
import type { Route } from './+types/verify-document'
import { errorsOf, judgeUpload, NO_FILE } from './judge-upload.ts'
import { LookupForms } from './lookup-forms.tsx'
import type { NamedFact } from './named-facts.tsx'
import { PageComparisons } from './page-comparison.tsx'
import { registrationView } from './registration-words.ts'
import { type SignedRevisionChoice, SignedRevisionForm } from './signed-revision-form.tsx'
import {
  type ComparisonView,
  comparisonViews,
  signedRevisions,
  uploadFacts,
  uploadView,
} from './upload-view.ts'
import { VerdictSheet } from './verdict-sheet.tsx'
import { notFoundView, type VerdictView } from './verdict-view.ts'
import css from './verify.module.css'

export const handle: PageHandle = { isShared: true }

export const meta: Route.MetaFunction = () => [{ title: 'Verificar documento · Rúbrica' }]

export const headers = notIndexed

const MISTYPED =
  'Este código no está completo o tiene un error. Son 16 letras y números, en cuatro grupos: cópielos como están junto al código QR. El folio no sirve.'

export async function loader({ url, context }: Route.LoaderArgs) {
  const typed = url.searchParams.get('code')
  if (typed === null) return data({ code: '' })
  const input = FindByCode.safeParse({ code: typed })
  if (!input.success || input.data.code === '')
    return data(
      { code: '', errors: { code: ['Escriba el código que está en la hoja de firmas.'] } },
      422,
    )
  const { code } = input.data
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const answer = await refusalOf(findByCode(system, actor, { code }))
  if (!answer.ok) return data({ code, errors: { code: [answer.sentence] } }, answer.init)
  if (answer.value) throw redirect(`/verify/${answer.value}`)
  if (isMistyped(code)) return data({ code, errors: { code: [MISTYPED] } }, 422)
  return data({ code, verdict: notFoundView(system.settings.isDemo) }, 404)
}

export async function action({ request, context }: Route.ActionArgs) {
  const answer = await refusalOf(judgeUpload(request, context, { withPictures: true }))
  if (!answer.ok) return data({ errors: errorsOf(answer) }, answer.init)
  const verified = answer.value
  if (!verified) return data({ errors: { file: [NO_FILE] } }, 422)
  const { report, registration } = verified
  const { isDemo } = context.get(systemContext).settings
  return data(
    {
      revisions: signedRevisions(report),
      pages: comparisonViews(verified.pages),
      verdict: uploadView(report, isDemo),
      facts: uploadFacts(verified),
      registration: registration && registrationView(registration),
    },
    report.verdict === 'NOT_A_PDF' ? 422 : 200,
  )
}

type Answer = {
  errors?: Record<string, string[] | undefined>
  verdict?: VerdictView
  facts?: NamedFact[]
  revisions?: SignedRevisionChoice[]
  pages?: ComparisonView[]
  registration?: ReturnType<typeof registrationView> | undefined
}

export default function VerifyDocument({ loaderData, actionData }: Route.ComponentProps) {
  const loaded: Answer & { code: string } = loaderData
  const answer: Answer = actionData ?? loaded
  const isSent = actionData !== undefined
  return (
    <div className={css.page}>
      <PageHead
        title="Verificar documento"
        lead="Compruebe quién firmó un documento y que no haya cambiado, con su código o con el archivo."
      />
      {answer.verdict && (
        <VerdictSheet verdict={answer.verdict} facts={answer.facts ?? []}>
          {isSent && <RegistrationNotice registration={answer.registration} />}
          <PageComparisons pages={answer.pages ?? []} />
        </VerdictSheet>
      )}
      {answer.revisions && <SignedRevisionForm revisions={answer.revisions} />}
      <LookupForms code={loaded.code} errors={answer.errors} />
    </div>
  )
}

function RegistrationNotice({ registration }: Pick<Answer, 'registration'>) {
  if (!registration)
    return (
      <p>
        Este archivo no está registrado aquí: este informe se refiere solo a lo que el archivo
        contiene.
      </p>
    )
  return (
    <Notice tone={registration.tone} isLive={false}>
      {registration.sentence}{' '}
      <PageLink to={registration.address}>Ver el documento registrado</PageLink>
    </Notice>
  )
}
