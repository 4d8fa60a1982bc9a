import { type RouterContextProvider, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { answering } from '#app/http/problems.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { type BatchView, ReadBatch, readBatch } from '#server/features/signing/read-batch.ts'
import { type BatchResult, readBatchResult } from './batch-result.ts'

const PATH = '/dashboard/signing/batch'

/** What both ways to sign many documents show, as texts. */
export async function loadBatch(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = url.searchParams.get('session')
  // An address that names no session shows everything rather than nothing.
  const wanted = ReadBatch.safeParse({ signingSessionId: asked ?? undefined }).data ?? {}
  const batch = await answering(readBatch(system, actor, wanted))
  const address = batchAddress(wanted.signingSessionId)
  if (batch.needsPresence) throw redirectDocument(presenceAddress(batch, address))
  const result = url.searchParams.has('result')
    ? readBatchResult(request, batch.person.userId)
    : undefined
  const withoutScripts = batchAddress(wanted.signingSessionId, WITHOUT_SCRIPTS)
  return { ...viewOf(batch, wanted.signingSessionId), address, withoutScripts, result }
}

/** @param session only what waits in this one */
export const batchAddress = (session?: string | undefined, path = PATH) =>
  session ? `${path}?session=${session}` : path

const WITHOUT_SCRIPTS = `${PATH}/without-scripts`

/** The whole batch is one list, proven once. */
function presenceAddress({ documents }: BatchView, address: string): string {
  const [first, ...others] = documents.map(({ document }) => document.id)
  const query = new URLSearchParams(others.map((id) => ['document', id]))
  query.set('returnUrl', address)
  return `/dashboard/documents/${first}/sign/presence?${query}`
}

function viewOf(batch: BatchView, session: string | undefined) {
  const { person, office, documents, more, now } = batch
  return {
    session: session ?? null,
    sessionTitle: (session && documents[0]?.session.title) || null,
    signer: fullName(person),
    rfc: person.rfc as string,
    zone: office.timeZone,
    serverSigning: office.serverSigning,
    now: now as number,
    more,
    documents: documents.map(({ document, version, session, signer }) => ({
      id: document.id as string,
      title: document.title,
      folio: document.folio as string,
      version: document.version,
      pages: version.pages === 1 ? '1 página' : `${version.pages} páginas`,
      sha256: version.sha256 as string,
      session: session.id as string,
      sessionTitle: session.title,
      character: signer.character,
    })),
  }
}

export type BatchPageView = ReturnType<typeof viewOf> & {
  address: string
  withoutScripts: string
  result: BatchResult | undefined
}
