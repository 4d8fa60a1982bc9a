import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import {
  clearSigningLinkCookie,
  readSigningLinkCookie,
  signingLinkCookie,
} from '#app/http/cookies/signing-link-cookie.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import css from '#app/routes/signing/guests/guest.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Problem } from '#server/domain/problem.ts'
import { readSignerLink } from '#server/features/signing-sessions/read-signer-link.ts'
import {
  LinkedSigner,
  renewSigningLink,
  revokeSigningLink,
} from '#server/features/signing-sessions/renew-signing-link.ts'
import type { Route } from './+types/signer-link'
import { NewLink } from './new-link.tsx'
import { newLinkView, signerLinkView } from './signer-link-view.ts'

const Form = z.object({ intent: z.enum(['renew', 'revoke']) })

export const handle = { hydrate: true, label: 'Enlace para firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Enlace para firmar · Rúbrica' }]

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const input = await orErrorPage(inputFrom(params))
  const found = await orErrorPage(readSignerLink(system, actor, input))
  const view = signerLinkView(found)
  const link = readSigningLinkCookie(request, context, input.signerId)
  if (!link) return data({ view, link: null })
  const shown = newLinkView(link, system.settings.publicOrigin, found.office.timeZone)
  // The code is shown once.
  return data({ view, link: shown }, { headers: { 'Set-Cookie': clearSigningLinkCookie() } })
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const input = await orErrorPage(inputFrom(params))
  const form = await orErrorPage(readForm(request, context, Form))
  if (!form.ok) return data(null, 422)
  const headers = new Headers()
  if (form.value.intent === 'renew') {
    const link = await orErrorPage(renewSigningLink(system, actor, input))
    headers.append('Set-Cookie', signingLinkCookie(context, link))
    headers.append('Set-Cookie', flash('signing-link-made'))
  } else {
    await orErrorPage(revokeSigningLink(system, actor, input))
    headers.append('Set-Cookie', flash('signing-link-revoked'))
  }
  return redirectDocument(addressOf(input), { status: 303, headers })
}

const addressOf = ({ signingSessionId, signerId }: LinkedSigner) =>
  `/dashboard/signing/${signingSessionId}/links/${signerId}`

async function inputFrom(params: { id: string; signerId: string }): Promise<LinkedSigner> {
  const { id: signingSessionId, signerId } = params
  const input = LinkedSigner.safeParse({ signingSessionId, signerId })
  if (!input.success) throw new Problem('not-found', 'no ids of a session and a signer')
  return input.data
}

/** The link of a signer without an account: its state, and a new one for the screen. */
export default function SignerLink({ loaderData: { view, link } }: Route.ComponentProps) {
  return (
    <div className={css.column}>
      <PageHead
        title={`Enlace de ${view.name}`}
        lead={
          <>
            {view.character}, RFC {view.rfc} ·{' '}
            <PageLink to={`/dashboard/signing/${view.sessionId}`}>{view.session}</PageLink>
          </>
        }
      />
      {link && <NewLink link={link} name={view.name} />}
      <Sheet title="Estado del enlace">
        <div className={css.notice}>
          <FactList>
            <Fact name="Enlace">{view.state}</Fact>
            <Fact name="Creado">{view.made}</Fact>
            <Fact name="Vence">{view.expires}</Fact>
            <Fact name="Se abrió">{view.opened}</Fact>
            <Fact name="Aceptó el aviso de privacidad">{view.consented}</Fact>
          </FactList>
          {(view.canRenew || view.isLive) && (
            <PostForm className={css.ways}>
              {view.canRenew && (
                <SubmitButton name="intent" value="renew">
                  Crear enlace y mostrarlo
                </SubmitButton>
              )}
              {view.isLive && (
                <SubmitButton name="intent" value="revoke" variant="default">
                  Retirar el enlace
                </SubmitButton>
              )}
            </PostForm>
          )}
          {view.canRenew && view.isLive && (
            <p className={css.quiet}>
              Un enlace nuevo hace que el anterior deje de servir, también en el navegador en el que
              se abrió.
            </p>
          )}
        </div>
      </Sheet>
    </div>
  )
}
