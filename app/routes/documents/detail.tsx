import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { answering } from '#app/http/problems.ts'
import { WHO_SIGNS } from '#app/messages.ts'
import { DocumentBadge } from '#app/ui/document-badge.tsx'
import { PageHead } from '#app/ui/page-head.tsx'
import { PagePictures } from '#app/ui/page-pictures.tsx'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { readConstancia } from '#server/features/signing/read-constancia.ts'
import type { Route } from './+types/detail'
import { constanciaView } from './constancia-view.ts'
import css from './detail.module.css'
import { DocumentActions } from './document-actions.tsx'
import { DocumentFacts } from './document-facts.tsx'
import { documentView } from './document-view.ts'

export const handle = { hydrate: true, label: 'Documento' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.document.title ?? 'Documento'} · Rúbrica` },
]

const Params = z.object({ id: DocumentId })

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const office = await answering(readOffice(system, actor))
  const detail = await answering(find())
  const documentId = detail.document.id
  const constancia = await answering(readConstancia(system, actor, { documentId }))
  const { roles, userId } = mustBeSignedIn(actor)
  return {
    constancia: constanciaView(constancia, office.timeZone),
    canExport: isAllowed(roles, 'document.export-evidence'),
    document: documentView(detail, office),
    canDescribe: isAllowed(roles, 'document.describe') && detail.document.state === 'draft',
    canSign: isAllowed(roles, 'document.sign'),
    isSignedByYou: detail.signatures.some((signature) => signature.userId === userId),
    canReadLog: isAllowed(roles, 'audit.read'),
  }

  async function find() {
    const parsed = Params.safeParse(params)
    if (!parsed.success) throw new Problem('not-found', 'no id of a document')
    return readDocument(system, actor, { documentId: parsed.data.id })
  }
}

const isOpen = (state: DocumentState) => state === 'draft' || state === 'signing'

export default function DocumentDetail({ loaderData }: Route.ComponentProps) {
  const { document, constancia, canSign, canExport, isSignedByYou } = loaderData
  const { canReadLog, canDescribe } = loaderData
  return (
    <>
      <PageHead
        title={document.title}
        lead={
          <span className={css.lead}>
            <DocumentBadge state={document.state} /> Folio {document.folio}
            {isSignedByYou && <span>Usted ya firmó este documento.</span>}
            {!canSign && isOpen(document.state) && <span>{WHO_SIGNS}</span>}
          </span>
        }
        action={<DocumentActions document={document} canSign={canSign} canExport={canExport} />}
      />
      <div className={css.columns}>
        <PagePictures document={{ ...document, address: `/dashboard/documents/${document.id}` }} />
        <DocumentFacts {...{ document, constancia, canReadLog, canDescribe }} />
      </div>
    </>
  )
}
