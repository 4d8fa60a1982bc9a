import { data, redirectDocument } from 'react-router'
import { z } from 'zod'
import { codeField, sealedCode, withoutFragment, withSealedCode } from '#app/http/code-field.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readCookie, setCookie } from '#app/http/cookies/cookies.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { noIndex, noStore } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { CodeFields } from '#app/ui/forms/code-fields.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { SIGNING_LINK_LIFETIME } from '#server/domain/signing/session/signing-link.ts'
import { readOwnRejection } from '#server/features/auth/guests/read-own-rejection.ts'
import {
  type OpenedSigningLink,
  openSigningLink,
} from '#server/features/guests/open-signing-link.ts'
import type { Route } from './+types/open-link'
import css from './guest.module.css'
import { OwnRejectionFacts } from './own-rejection-facts.tsx'
import { ownRejectionView } from './own-rejection-view.ts'

const Form = z.object({ code: codeField })

export const meta: Route.MetaFunction = () => [{ title: 'Firmar por enlace · Rúbrica' }]

export const headers: Route.HeadersFunction = (args) => noIndex(noStore(args))

/** Opening the page does not use up the link: mail scanners open it first. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const isGuest = context.get(actorContext).kind === 'guest'
  const held = readCookie(request, '__Host-guest')
  const rejection = isGuest ? undefined : await readOwnRejection(context.get(systemContext), held)
  return { isGuest, rejection: rejection && ownRejectionView(rejection) }
}

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, withSealedCode(context, Form)))
  if (!form.ok) return data({ sentence: form.sentence }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)
  const { code } = form.value.value
  const held = readCookie(request, '__Host-guest')
  const answer = await refusalOf(openSigningLink(system, actor, { code, held }))
  if (answer.ok) return enter(answer.value)
  const kept = answer.code === 'too-many-attempts' ? sealedCode(context, { code }) : undefined
  return data({ sentence: answer.sentence, kept }, answer.init)
}

/* Beyond the current deadline: the office may extend it, and the link opens only once. */
const HELD_SECONDS = SIGNING_LINK_LIFETIME / 1000

function enter(opened: OpenedSigningLink): Response {
  if (opened.kind === 'rejected') return withoutFragment(redirectDocument('/sign', { status: 303 }))
  const headers = new Headers()
  if (opened.kind === 'opened')
    headers.set('Set-Cookie', setCookie('__Host-guest', opened.token, HELD_SECONDS))
  return withoutFragment(redirectDocument('/sign/documents', { status: 303, headers }))
}

type Answer = { sentence?: string; errors?: FormErrors; kept?: string | undefined }

export default function OpenLink({ loaderData, actionData }: Route.ComponentProps) {
  const { sentence, errors, kept }: Answer = actionData ?? {}
  const { isGuest, rejection } = loaderData
  return (
    <StandaloneSheet title={rejection ? 'Usted rechazó firmar' : 'Firmar por enlace'}>
      {rejection && <OwnRejectionFacts rejection={rejection} />}
      {isGuest && (
        <Notice tone="note" isLive={false}>
          Este navegador ya tiene abierto un enlace.{' '}
          <PageLink to="/sign/documents">Continuar con mis documentos</PageLink>
        </Notice>
      )}
      {rejection ? (
        <h2 className={css.other}>¿Recibió otro enlace?</h2>
      ) : (
        <p className={css.quiet}>
          Una notaría pidió su firma. El enlace se abre una sola vez: hágalo en el equipo y el
          navegador en los que va a firmar.
        </p>
      )}
      <PostForm className={css.form} noValidate>
        {sentence && <Notice tone="bad">{sentence}</Notice>}
        <CodeFields kept={kept} errors={errors?.code} purpose="signing" />
        <SubmitButton size="md" fullWidth>
          Abrir mis documentos
        </SubmitButton>
      </PostForm>
    </StandaloneSheet>
  )
}
