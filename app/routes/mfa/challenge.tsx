import { data, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readCookie } from '#app/http/cookies/cookies.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { refusalOf } from '#app/http/problems.ts'
import { refusalSentence } from '#app/http/refusal-sentence.ts'
import { shownTime } from '#app/http/shown-time.ts'
import { returnPathOf, signInRedirect, withReturnUrl } from '#app/http/sign-in-redirects.ts'
import { labels } from '#app/messages/labels.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { readSignIn } from '#server/features/auth/read-sign-in.ts'
import { verifySecondFactor } from '#server/features/mfa/verify-second-factor.ts'
import type { Route } from './+types/challenge'
import { FactorForm } from './factor-form.tsx'
import css from './mfa.module.css'
import { Proof } from './proof.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Verificación en dos pasos · Rúbrica' }]

export const headers = noStore

type Args = Pick<Route.LoaderArgs, 'request' | 'url' | 'context'>

export async function loader({ request, url, context }: Route.LoaderArgs) {
  if (context.get(actorContext).kind === 'person')
    throw redirectDocument(returnPathOf(url, context))
  const signIn = await begunSignIn(request, context)
  if (signIn?.state !== 'pending') throw backToLogin({ request, url, context })
  const { email, methods } = signIn
  const requested = url.searchParams.get('method')
  const method = methods.find((one) => one === requested) ?? methods[0]
  return { email, methods, method, returnUrl: returnPathOf(url, context, '') }
}

/** Redirects if another tab completed the sign-in or it has expired. */
export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  if (actor.kind === 'person') return redirectDocument(returnPathOf(url, context), 303)
  const form = await refusalOf(readForm(request, context, Proof))
  if (!form.ok) return data({ refusal: form.sentence }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)
  const proof = form.value.value
  if (proof.method === 'PASSWORD') return backToLogin({ request, url, context })

  const token = readCookie(request, '__Host-sign-in')
  const answer = await refusalOf(verifySecondFactor(system, actor, token, proof))
  if (!answer.ok) return data({ refusal: answer.sentence }, answer.init)
  const outcome = answer.value
  switch (outcome.kind) {
    case 'signed-in':
      return signInRedirect(context, outcome, returnPathOf(url, context))
    case 'gone':
      return backToLogin({ request, url, context })
    case 'refused': {
      const begun = await begunSignIn(request, context)
      const serverTime = shownTime(outcome.serverTime, begun?.timeZone)
      return data({ refusal: refusalSentence(proof.method, { ...outcome, serverTime }) }, 401)
    }
  }
}

const begunSignIn = (request: Request, context: Args['context']) =>
  readSignIn(context.get(systemContext), readCookie(request, '__Host-sign-in'))

/** Keeps the cookie: /login uses it to fill in the address. Without a cookie there was no sign-in. */
function backToLogin({ request, url, context }: Args) {
  const notice = readCookie(request, '__Host-sign-in') ? 'sign-in-gone' : 'sign-in-first'
  const returnUrl = returnPathOf(url, context, '')
  return redirectDocument(returnUrl ? withReturnUrl('/login', returnUrl) : '/login', {
    status: 303,
    headers: { 'Set-Cookie': flash(notice) },
  })
}

export default function Challenge({ loaderData, actionData }: Route.ComponentProps) {
  const { email, methods, method, returnUrl } = loaderData
  const answer: { refusal?: string; errors?: Record<string, string[] | undefined> } =
    actionData ?? {}
  return (
    <StandaloneSheet
      title="Verificación en dos pasos"
      links={
        <PageLink to={address('/login', { returnUrl })}>{labels.signIn} con otra cuenta</PageLink>
      }
    >
      <p className={css.lead}>
        La contraseña de <strong>{email}</strong> es correcta. Falta comprobar que es usted.
      </p>
      {method ? (
        <FactorForm
          method={method}
          methods={methods}
          addressOf={(other) => address('/mfa', { method: other, returnUrl })}
          refusal={answer.refusal}
          errors={answer.errors}
        />
      ) : (
        <Notice tone="bad">
          Su llave de seguridad está en revisión y no tiene otra forma de verificación. Pida ayuda
          al administrador de su notaría.
        </Notice>
      )}
    </StandaloneSheet>
  )
}
