import { type RouterContextProvider, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { chosenIn } from '#app/http/documents/chosen-documents.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { CHOSEN } from '#app/messages/field-names.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { leavesProtocol } from '#server/domain/signing/act/act.ts'
import { requestedText } from '#server/domain/signing/character-text.ts'
import {
  type BatchView,
  type ReadBatch,
  readBatch,
} from '#server/features/signatures/read-batch.ts'
import { type BatchAddresses, GUEST_BATCH, officeBatch } from './batch-addresses.ts'
import { type BatchResult, readBatchResult } from './batch-result.ts'

/** Loads the batch as texts, for the forms with and without scripts. */
export async function loadBatch(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
) {
  const input = wantedIn(url)
  return await load(request, url, context, { input, place: officeBatch(input) })
}

/** Returns the session or the documents in the query; what is malformed is left out, and without both the batch has everything. */
export function wantedIn({ searchParams }: URL): ReadBatch {
  const signingSessionId = SigningSessionId.safeParse(searchParams.get('session')).data
  const documentIds = chosenIn(searchParams)
  return {
    ...(signingSessionId && { signingSessionId }),
    ...(documentIds.length > 0 && { documentIds }),
  }
}

/** Loads the batch of a guest. */
export const loadGuestBatch = (
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
) => load(request, url, context, { input: {}, place: GUEST_BATCH })

async function load(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
  { input, place }: { input: ReadBatch; place: BatchAddresses },
) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const batch = await orErrorPage(readBatch(system, actor, input))
  if (batch.needsPresence) throw redirectDocument(presenceAddress(batch, place.address))
  const result = url.searchParams.has('result')
    ? readBatchResult(request, batch.signatory)
    : undefined
  const { elsewhere, ...view } = viewOf(batch, input, place)
  // After signing, what was signed no longer waits.
  return { ...view, elsewhere: result ? 0 : elsewhere, result }
}

/** The whole batch needs one proof of presence. */
function presenceAddress({ documents }: BatchView, address: string): string {
  const [first, ...others] = documents.map(({ document }) => document.id)
  const query = new URLSearchParams(others.map((id) => [CHOSEN, id]))
  query.set('returnUrl', address)
  return `/dashboard/documents/${first}/sign/presence?${query}`
}

function viewOf(
  batch: BatchView,
  { signingSessionId: session, documentIds }: ReadBatch,
  place: BatchAddresses,
) {
  const { signatory, name, office, documents, unread, unreadCount, more, now } = batch
  const isOneSession = session !== undefined || signatory.kind === 'guest'
  return {
    ...place,
    isOneSession,
    sessionTitle: (isOneSession && documents[0]?.session.title) || null,
    signer: name,
    rfc: signatory.rfc as string,
    zone: office.timeZone,
    serverSigning: office.serverSigning,
    now: now as number,
    more,
    /** Of the documents that were chosen, how many do not wait for the signer. */
    elsewhere: documentIds ? documentIds.length - documents.length - unreadCount : 0,
    moreUnread: unreadCount - unread.length,
    unread: unread.map(({ document, reason }) => ({
      id: document.id as string,
      title: document.title,
      folio: document.folio as string,
      reason,
      address: acknowledgementAddress(place, document.id),
    })),
    documents: documents.map(({ document, version, session, signer, seen }) => ({
      id: document.id as string,
      page: `${place.documentPages}/${document.id}`,
      address: `${place.documentPages}/${document.id}${place.sign}`,
      title: document.title,
      folio: document.folio as string,
      version: document.version,
      seen,
      pages: version.pages === 1 ? '1 página' : `${version.pages} páginas`,
      sha256: version.sha256 as string,
      session: session.id as string,
      sessionTitle: session.title,
      leavesProtocol: leavesProtocol(session.act),
      character: requestedText(signer.character),
    })),
  }
}

const acknowledgementAddress = ({ documentPages, sign, address }: BatchAddresses, id: string) =>
  `${documentPages}/${id}${sign}/acknowledge?${new URLSearchParams({ returnUrl: address })}`

export type BatchPageView = ReturnType<typeof viewOf> & { result: BatchResult | undefined }
