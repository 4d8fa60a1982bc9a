import { actorContext, systemContext } from '#app/http/context.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { ProtocolNotice } from '#app/ui/document/protocol-notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import type { Route } from './+types/guest-documents-page'
import { acceptWithForm } from './accept-with-form.ts'
import { ConsentForm, ShortNotice } from './consent-form.tsx'
import css from './guest.module.css'
import { GuestDocuments } from './guest-document-list.tsx'
import { guestView } from './guest-view.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Sus documentos · Rúbrica' }]

export const headers = noStore

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return guestView(await orErrorPage(readGuestSession(system, actor)))
}

export const action = ({ request, context }: Route.ActionArgs) =>
  acceptWithForm({ request, context }, '/sign/documents')

export default function GuestDocumentsPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { name, rfc, character, office, title, hasConsented, notice, isAsked } = view
  return (
    <div className={css.column}>
      <PageHead
        title={title}
        lead={`${office} ${isAsked ? 'le pide que firme' : 'le pidió que firmara'} con su e.firma.`}
      />
      <Sheet title="Quién firma">
        <div className={css.notice}>
          <FactList>
            <Fact name="Nombre">{name}</Fact>
            <Fact name="Carácter declarado">{character}</Fact>
            <Fact name="RFC">{rfc}</Fact>
          </FactList>
          <p className={css.quiet}>
            Solo se acepta la e.firma con este RFC. Si usted no es esta persona, cierre la página y
            avise a la notaría.
          </p>
        </div>
      </Sheet>
      <ProtocolNotice leavesProtocol={view.leavesProtocol} />
      {!hasConsented && <ShortNotice notice={notice} />}
      <GuestDocuments view={view} />
      {!hasConsented && <ConsentForm notice={notice} errors={actionData?.errors} />}
    </div>
  )
}
