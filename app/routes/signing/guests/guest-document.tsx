import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { loadReader } from '#app/routes/reader/load-reader.ts'
import { SignFrame } from '#app/routes/signing/one/sign-frame.tsx'
import { SignOptions } from '#app/routes/signing/one/sign-options.tsx'
import { loadSigning, type SignView } from '#app/routes/signing/one/sign-view.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'
import { readPrivacyNotice } from '#server/features/guests/read-privacy-notice.ts'
import { readPictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import type { Route } from './+types/guest-document'
import { acceptWithForm } from './accept-with-form.ts'
import { ConsentForm } from './consent-form.tsx'
import { guestAddresses } from './guest-addresses.ts'
import { GuestCopy } from './guest-copy.tsx'
import type { GuestView } from './guest-view.ts'
import { loadGuestDocument } from './load-guest-document.ts'

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.kind === 'copy' ? 'Su copia' : 'Firmar documento'} · Rúbrica` },
]

export const headers = noStore

/** No more signing, although signatures are missing. */
const ENDED: readonly SigningSessionState[] = ['rejected', 'cancelled']

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const found = await orErrorPage(loadGuestDocument(params.id, context))
  if (found.held !== 'signed') {
    const view = await loadSigning(params, url, context, guestAddresses(params.id))
    return { kind: 'sign' as const, view, notice: await noticeFor(view, context) }
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
      consent: await orErrorPage(
        readPictureConsent(context.get(systemContext), context.get(actorContext), id),
      ),
      next: next && { id: next.id as string, title: next.title },
    },
  }
}

/** The aviso de privacidad, for a guest who has not accepted it; null for others. */
async function noticeFor(
  { needsConsent }: SignView,
  context: Readonly<RouterContextProvider>,
): Promise<GuestView['notice'] | null> {
  if (!needsConsent) return null
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { short, sha256 } = await orErrorPage(readPrivacyNotice(system, actor))
  return { short, sha256 }
}

export const action = ({ request, params, context }: Route.ActionArgs) =>
  acceptWithForm({ request, context }, `/sign/documents/${encodeURIComponent(params.id)}#firmar`)

/** Before signing: the document and the form. Afterwards: the guest's copy. */
export default function GuestDocumentPage({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.kind === 'copy')
    return <GuestCopy copy={loaderData.copy} reader={loaderData.reader} />
  const { view, notice } = loaderData
  const first = notice && <ConsentForm notice={notice} hasNotice errors={actionData?.errors} />
  return (
    <SignFrame view={view} first={first}>
      <SignOptions view={view} />
    </SignFrame>
  )
}
