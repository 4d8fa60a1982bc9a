import { actorContext, systemContext } from '#app/http/context.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Problem } from '#server/domain/problem.ts'
import {
  ReadUploadVerdict,
  readUploadVerdict,
} from '#server/features/documents/read-upload-verdict.ts'
import type { Route } from './+types/upload-verdict'
import { VerdictSheet } from './verdict-sheet.tsx'
import { fileFacts, verdictView } from './verdict-view.ts'
import css from './verify.module.css'

export const handle = { label: 'Informe de verificación del archivo' }

export const meta: Route.MetaFunction = () => [
  { title: 'Informe de verificación del archivo · Rúbrica' },
]

export const headers = noStore

/** The whole verdict about the file of a document as it arrived, for staff and for guests who sign it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { document, office, report } = await orErrorPage(read())
  const { isDemo } = system.settings
  const back =
    actor.kind === 'guest' ? `/sign/documents/${params.id}` : `/dashboard/documents/${params.id}`
  return {
    title: document.title,
    back,
    verdict: verdictView(report, { zone: office.timeZone, isDemo, names: 'whole' }),
    facts: fileFacts(report),
  }

  async function read() {
    const input = ReadUploadVerdict.safeParse({ documentId: params.id })
    if (!input.success) throw new Problem('not-found', 'no id of a document')
    return readUploadVerdict(system, actor, input.data)
  }
}

export default function UploadVerdict({ loaderData }: Route.ComponentProps) {
  const { title, back, verdict, facts } = loaderData
  return (
    <div className={css.page}>
      <PageHead
        title="Informe de verificación del archivo como llegó"
        lead={
          <>
            {title} · <a href={back}>Volver al documento</a>
          </>
        }
      />
      <VerdictSheet verdict={verdict} facts={facts} />
    </div>
  )
}
