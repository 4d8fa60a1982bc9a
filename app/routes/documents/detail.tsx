import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { deadlineRow } from '#app/http/documents/deadline-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { WHO_SIGNS } from '#app/messages/labels.ts'
import { loadReader } from '#app/routes/reader/load-reader.ts'
import { DocumentBadge } from '#app/ui/document/document-badge.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Reader } from '#app/ui/reader/reader.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { cancellingAction, isPurgeable } from '#server/domain/documents/uploaded-by-mistake.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { DocumentId, type UserId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { readDocumentChecks } from '#server/features/checklists/read-document-checks.ts'
import { readConstancia } from '#server/features/constancias/read-constancia.ts'
import { type CopyPage, listCopies } from '#server/features/copies/list-copies.ts'
import { type DocumentDetail, readDocument } from '#server/features/documents/read-document.ts'
import { readNumberOfDocument } from '#server/features/numbers/read-number.ts'
import { readDocumentDeadlines } from '#server/features/obligations/read-deadline.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listMyTurns, MOST_TURNS } from '#server/features/signatures/list-my-turns.ts'
import { readPictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import type { Route } from './+types/detail'
import { listView } from './checklist/checklist-view.ts'
import { constanciaView } from './constancia-view.ts'
import { copyView } from './copies/copy-view.ts'
import css from './detail.module.css'
import { DocumentActions } from './document-actions.tsx'
import { DocumentFacts } from './document-facts.tsx'
import { type DocumentView, documentView } from './document-view.ts'
import { numberView } from './numbers/number-view.ts'

export const handle = { hydrate: true, label: 'Documento' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.document.title ?? 'Documento'} · Rúbrica` },
]

const Params = z.object({ id: DocumentId })

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const office = await orErrorPage(readOffice(system, actor))
  const detail = await orErrorPage(find())
  const documentId = detail.document.id
  const constancia = await orErrorPage(readConstancia(system, actor, { documentId }))
  const { lists } = await orErrorPage(readDocumentChecks(system, actor, { documentId }))
  const duties = await orErrorPage(readDocumentDeadlines(system, actor, { documentId }))
  const number = await orErrorPage(readNumberOfDocument(system, actor, { documentId }))
  const { roles, userId } = mustBeSignedIn(actor)
  const document = documentView(detail, office)
  const address = `/dashboard/documents/${documentId}`
  const copies = await orErrorPage(listCopies(system, actor, { documentId, size: FEW_COPIES }))
  const isYourTurn = detail.session?.awaited.some((signer) => signer.userId === userId) ?? false
  const isSignedByYou = detail.signatures.some((signature) => signature.userId === userId)
  const pages = document.purge ? 0 : document.pages
  const reader = { id: documentId, version: document.version, pages, address }
  return {
    reader: await loadReader(reader, url, context),
    constancia: constanciaView(constancia, office.timeZone),
    copies: copiesView(copies, office.timeZone, roles),
    canExport: isAllowed(roles, 'document.export-evidence'),
    document,
    number: numberView(number),
    lists: lists.map((list) => listView(list, office.timeZone)),
    obligations: duties.deadlines.map((one) => deadlineRow(one, duties.today)),
    canCheck: isAllowed(roles, 'document.check') && detail.document.state !== 'cancelled',
    canDescribe: isAllowed(roles, 'document.describe') && detail.document.state === 'draft',
    canSetLookup: isAllowed(roles, 'document.set-public-lookup'),
    canSetPictures: isAllowed(roles, 'document.set-public-pictures'),
    consent: await orErrorPage(readPictureConsent(system, actor, documentId)),
    canPlaceStamp: isAllowed(roles, 'document.place-stamp'),
    canReplace:
      isAllowed(roles, 'document.replace-file') &&
      detail.document.state === 'draft' &&
      !detail.document.purged,
    canCancel: mayCancel(detail, roles, userId),
    canPurge: isPurgeable(detail.document, detail) && isAllowed(roles, 'document.purge'),
    canSign: isAllowed(roles, 'document.sign'),
    canManage: isAllowed(roles, 'signing-sessions.manage'),
    ...{ isYourTurn, isSignedByYou },
    next: isSignedByYou && !isYourTurn ? await findNext() : null,
    canReadLog: isAllowed(roles, 'audit.read'),
  }

  /** The next document that waits for this user: of the same session, if there is one. */
  async function findNext() {
    const signingSessionId = detail.session?.session.id
    const turns = (of: { signingSessionId?: typeof signingSessionId }) =>
      orErrorPage(listMyTurns(system, actor, { ...of, turn: 'now', limit: 1 }))
    const own = signingSessionId ? await turns({ signingSessionId }) : { documents: [], count: 0 }
    const { documents, count } = own.count > 0 ? own : await turns({})
    const [first] = documents
    if (!first) return null
    const { id, title } = first.document
    return { id, title, waiting: count > 1 ? countText(count, MOST_TURNS) : null }
  }

  async function find() {
    const parsed = Params.safeParse(params)
    if (!parsed.success) throw new Problem('not-found', 'no id of a document')
    return readDocument(system, actor, { documentId: parsed.data.id })
  }
}

/** On the page of the document; its list of copies has them all. */
const FEW_COPIES = 5

/** Null for a document that was never complete. */
const copiesView = (
  { document, copies, isComplete, next }: CopyPage,
  timeZone: string,
  roles: readonly Role[],
) =>
  isComplete || copies.length > 0
    ? {
        documentId: document.id,
        copies: copies.map((copy) => copyView(copy, timeZone)),
        hasMore: next !== undefined,
        canRecord: isComplete && isAllowed(roles, 'document.record-copy'),
      }
    : null

const mayCancel = (detail: DocumentDetail, roles: readonly Role[], userId: UserId) =>
  detail.document.state === 'draft' &&
  isAllowed(roles, cancellingAction(detail.document, userId, detail))

/** Returns what the document waits for, and who can act. */
function waitOf({ state, session }: DocumentView, canSign: boolean, isYourTurn: boolean) {
  if (isYourTurn) return 'Es su turno de firmar.'
  if (session && session.awaited.length > 0)
    return `Se espera a ${new Intl.ListFormat('es-MX').format(session.awaited)}.`
  if (session?.state === 'expired')
    return 'La fecha límite de la sesión pasó: amplíela o cancele la sesión.'
  return state === 'draft' && !canSign ? WHO_SIGNS : undefined
}

export default function DocumentDetailPage({ loaderData }: Route.ComponentProps) {
  const { document, constancia, canSign, canExport, isSignedByYou, isYourTurn } = loaderData
  const { canReadLog, canDescribe, canSetLookup, canPlaceStamp, canCancel, canManage, reader } =
    loaderData
  const wait = waitOf(document, canSign, isYourTurn)
  // A document in a session can only be signed by the signers whose turn it is.
  const isHeld = document.session?.state === 'open' || document.session?.state === 'expired'
  return (
    <>
      <PageHead
        title={document.title}
        lead={
          <span className={css.lead}>
            <DocumentBadge state={document.state} /> Folio {document.folio}
            {isSignedByYou && <span>Usted ya firmó este documento.</span>}
            {wait && <span>{wait}</span>}
          </span>
        }
        action={
          <DocumentActions
            document={document}
            canSign={isHeld ? isYourTurn : canSign}
            canManage={canManage}
            canExport={canExport}
            canReplace={loaderData.canReplace}
            canCancel={canCancel}
            canPurge={loaderData.canPurge}
          />
        }
      />
      {loaderData.next && <NextDocument next={loaderData.next} />}
      <div className={css.columns} data-whole={reader.state.isWhole || undefined}>
        {document.purge ? (
          <Sheet title="El archivo se eliminó">
            <p>{document.purge.text}</p>
            <p>
              <Time at={document.purge.when.at}>{document.purge.when.text}</Time>
            </p>
          </Sheet>
        ) : (
          <div className={css.pages}>
            <Reader
              view={reader}
              foot={isYourTurn && <PageLink to={`${reader.document}/sign`}>Firmar</PageLink>}
            />
          </div>
        )}
        <DocumentFacts
          {...{ document, constancia, canReadLog, canDescribe, canSetLookup, canPlaceStamp }}
          number={loaderData.number}
          lists={loaderData.lists}
          obligations={loaderData.obligations}
          canCheck={loaderData.canCheck}
          canSetPictures={loaderData.canSetPictures}
          consent={loaderData.consent}
          copies={loaderData.copies}
        />
      </div>
    </>
  )
}

/** What the user can sign after this document. */
function NextDocument({ next }: { next: { id: string; title: string; waiting: string | null } }) {
  return (
    <div className={css.next}>
      <Notice tone="good" isLive={false}>
        Firmado. Siguiente:{' '}
        <PageLink to={`/dashboard/documents/${next.id}/sign`}>{next.title}</PageLink>
        {next.waiting && ` (esperan su firma ${next.waiting} documentos)`}
      </Notice>
    </div>
  )
}
