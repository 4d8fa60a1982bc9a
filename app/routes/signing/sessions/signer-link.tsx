import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readSigningLinkCookie, signingLinkCookie } from '#app/http/cookies/signing-link-cookie.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { SigningLinkId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { readSignerLink } from '#server/features/signing-sessions/read-signer-link.ts'
import {
  LinkedSigner,
  renewSigningLink,
  revokeSigningLink,
} from '#server/features/signing-sessions/renew-signing-link.ts'
import type { Route } from './+types/signer-link'
import { LinkActions } from './link-actions.tsx'
import { ShownLink } from './shown-link.tsx'
import css from './signer-link.module.css'
import { shownLinkView, signerLinkView } from './signer-link-view.ts'

const Form = z.discriminatedUnion('intent', [
  z.object({
    intent: z.literal('renew'),
    replaces: z.preprocess((value) => value || null, SigningLinkId.nullable()),
  }),
  z.object({ intent: z.literal('revoke') }),
])

export const handle = { hydrate: true, label: 'Enlace para firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Enlace para firmar · Rúbrica' }]

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const input = await orErrorPage(inputFrom(params))
  const found = await orErrorPage(readSignerLink(system, actor, input))
  const { link, isLive, office } = found
  const isUnopened = isLive && link?.state === 'open'
  const kept = isUnopened ? readSigningLinkCookie(request, context, link.id) : undefined
  return {
    view: signerLinkView(found),
    link: kept ? shownLinkView(kept, system.settings.publicOrigin, office.timeZone) : null,
    isAsked: url.searchParams.has('replace'),
  }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const input = await orErrorPage(inputFrom(params))
  const form = await orErrorPage(readForm(request, context, Form))
  if (!form.ok) return data(null, 422)
  const headers = new Headers()
  if (form.value.intent === 'renew') {
    const { replaces } = form.value
    const work = renewSigningLink(system, actor, { ...input, replaces })
    const answer = await refusalOf(work)
    if (!answer.ok && answer.code === 'signing-link-changed') {
      // The page shows the link that there is now.
      headers.append('Set-Cookie', flash('signing-link-changed'))
    } else {
      headers.append('Set-Cookie', signingLinkCookie(request, context, await orErrorPage(work)))
      headers.append('Set-Cookie', flash(replaces ? 'signing-link-replaced' : 'signing-link-made'))
    }
  } else {
    await orErrorPage(revokeSigningLink(system, actor, input))
    headers.append('Set-Cookie', flash('signing-link-revoked'))
  }
  const { signingSessionId, signerId } = input
  const page = `/dashboard/signing/${signingSessionId}/links/${signerId}`
  return redirectDocument(page, { status: 303, headers })
}

async function inputFrom(params: { id: string; signerId: string }): Promise<LinkedSigner> {
  const { id: signingSessionId, signerId } = params
  const input = LinkedSigner.safeParse({ signingSessionId, signerId })
  if (!input.success) throw new Problem('not-found', 'no ids of a session and a signer')
  return input.data
}

/** The link of a signer without an account: its state, what this browser may still show of it, and a new one. */
export default function SignerLink({ loaderData }: Route.ComponentProps) {
  const { view, link, isAsked } = loaderData
  return (
    <div className={css.column}>
      <div className={link ? css.onScreen : undefined}>
        <PageHead
          title={`Enlace de ${view.name}`}
          lead={
            <>
              {view.character}, RFC {view.rfc} ·{' '}
              <PageLink to={`/dashboard/signing/${view.sessionId}`}>{view.session}</PageLink>
            </>
          }
        />
      </div>
      {link && <ShownLink link={link} view={view} />}
      <div className={link ? css.onScreen : undefined}>
        <Sheet title="Estado del enlace">
          <div className={css.lines}>
            <FactList>
              <Fact name="Enlace">{view.state}</Fact>
              <Fact name="Creado">{view.made}</Fact>
              <Fact name="Vence">{view.expires}</Fact>
              <Fact name="Correo">{view.mailed}</Fact>
              <Fact name="Se abrió">{view.opened}</Fact>
              <Fact name="Aceptó el aviso de privacidad">{view.consented}</Fact>
            </FactList>
            {view.live && !view.live.isOpened && !link && (
              <Notice tone="note" isLive={false}>
                Este enlace sirve, pero ya no se puede mostrar: solo se guarda su huella, no el
                enlace. Si la persona no lo tiene, cree otro.
              </Notice>
            )}
            <LinkActions view={view} isShown={link !== null} isAsked={isAsked} />
          </div>
        </Sheet>
      </div>
    </div>
  )
}
