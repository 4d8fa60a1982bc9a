import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { ProtocolNotice } from '#app/ui/document/protocol-notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import {
  AcceptPrivacyNotice,
  acceptPrivacyNotice,
} from '#server/features/guests/accept-privacy-notice.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import type { Route } from './+types/guest-documents-page'
import { ConsentForm } from './consent-form.tsx'
import css from './guest.module.css'
import { GuestDocuments } from './guest-document-list.tsx'
import { guestView } from './guest-view.ts'

const Form = z.object({
  notice: AcceptPrivacyNotice.shape.notice,
  consent: withSentence(z.literal('yes'), 'Marque la casilla si está de acuerdo con el aviso.'),
})

const CHANGED = 'El aviso de privacidad cambió mientras usted lo leía. Lea el texto nuevo.'

export const meta: Route.MetaFunction = () => [{ title: 'Sus documentos · Rúbrica' }]

export const headers = noStore

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return guestView(await orErrorPage(readGuestSession(system, actor)))
}

/** Records the consent to the notice named in the form. */
export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Form))
  if (!form.ok) return data({ errors: { form: [form.sentence] } as FormErrors }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)
  const answer = await orErrorPage(acceptPrivacyNotice(system, actor, form.value.value))
  if (answer.kind === 'changed') return data({ errors: { form: [CHANGED] } as FormErrors }, 409)
  return redirectDocument('/sign/documents', 303)
}

export default function GuestDocumentsPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { name, rfc, character, office, asked } = view
  return (
    <div className={css.column}>
      <PageHead
        title={asked ? asked.title : 'Le pidieron su firma'}
        lead={`${office} le pide que firme con su e.firma.`}
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
      <ProtocolNotice leavesProtocol={asked?.leavesProtocol ?? false} />
      {asked ? (
        <GuestDocuments asked={asked} />
      ) : (
        <ConsentForm notice={view.notice} errors={actionData?.errors} />
      )}
    </div>
  )
}
