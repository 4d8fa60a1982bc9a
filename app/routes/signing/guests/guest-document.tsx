import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { loadReader } from '#app/routes/reader/load-reader.ts'
import { SignFrame } from '#app/routes/signing/one/sign-frame.tsx'
import { SignOptions } from '#app/routes/signing/one/sign-options.tsx'
import { loadSigning } from '#app/routes/signing/one/sign-view.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import type { Route } from './+types/guest-document'
import { guestAddresses } from './guest-addresses.ts'
import { GuestCopy } from './guest-copy.tsx'
import { loadGuestDocument } from './load-guest-document.ts'

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.kind === 'copy' ? 'Su copia' : 'Firmar documento'} · Rúbrica` },
]

export const headers = noStore

/** No more signing, although signatures are missing. */
const ENDED: readonly SigningSessionState[] = ['rejected', 'cancelled']

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const found = await orErrorPage(loadGuestDocument(params.id, context))
  if (found.held !== 'signed')
    return {
      kind: 'sign' as const,
      view: await loadSigning(params, url, context, guestAddresses(params.id)),
    }
  const { document, version, signer, session, next } = found
  const { id, title, folio, state } = document
  const address = `/sign/documents/${id}`
  const { pages } = version
  return {
    kind: 'copy' as const,
    reader: await loadReader({ id, version: version.version, pages, address }, url, context),
    copy: {
      ...{ address, id, title, folio },
      ...{ version: version.version, sha256: version.sha256 as string },
      name: signer.name,
      isComplete: state === 'signed',
      isEnded: ENDED.includes(session.state),
      next: next && { id: next.id as string, title: next.title },
    },
  }
}

/** Before signing: the document and the form. Afterwards: the guest's copy. */
export default function GuestDocumentPage({ loaderData }: Route.ComponentProps) {
  if (loaderData.kind === 'copy')
    return <GuestCopy copy={loaderData.copy} reader={loaderData.reader} />
  const { view } = loaderData
  return (
    <SignFrame view={view}>
      <SignOptions view={view} />
    </SignFrame>
  )
}
