import { data, type RouterContextProvider, redirectDocument } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FormErrors, type ReadForm, readForm } from '#app/http/forms.ts'
import { noStore } from '#app/http/page-headers.ts'
import { orErrorPage, refusalOf } from '#app/http/problems.ts'
import { refusalSentence } from '#app/http/refusal-sentence.ts'
import { pageBefore, safeReturnUrl } from '#app/http/return-url.ts'
import { sendReplayed } from '#app/http/send-replayed.ts'
import { shownTime } from '#app/http/shown-time.ts'
import { returnPathOf, sessionHeaders } from '#app/http/sign-in-redirects.ts'
import { forwardToForm, replayKept, requirePending } from '#app/http/step-up.ts'
import { StandaloneSheet } from '#app/ui/frame/standalone-sheet.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { listProofs, stepUp } from '#server/features/mfa/step-up.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/step-up-page'
import { FactorForm } from './factor-form.tsx'
import css from './mfa.module.css'
import { Proof } from './proof.ts'

export const middleware: Route.MiddlewareFunction[] = [sendReplayed]

export const meta: Route.MetaFunction = () => [{ title: 'Confirme su identidad · Rúbrica' }]

export const headers = noStore

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  if (params.id) await requirePending({ context }, params.id)
  const methods = await orErrorPage(
    listProofs(context.get(systemContext), context.get(actorContext)),
  )
  const requested = url.searchParams.get('method')
  const method = methods.find((one) => one === requested) ?? methods[0] ?? 'PASSWORD'
  const returnUrl = returnPathOf(url, context)
  const from = pageOfAsking(request, url, context)
  return {
    methods,
    method,
    isResuming: params.id !== undefined,
    path: url.pathname,
    returnUrl,
    from,
    back: from || returnPath(url, returnUrl),
  }
}

/** Pages that the user can return to without a step-up; all others would redirect here again. */
const OPEN = /^\/(?:dashboard(?:[/?]|$)|setup-mfa(?:\?|$))/

/** Returns the page that led here; empty if the browser does not send it. */
function pageOfAsking(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
): string {
  const { publicOrigin } = context.get(systemContext).settings
  const page = url.searchParams.get('from') ?? pageBefore(request, publicOrigin)
  const ours = safeReturnUrl(page, publicOrigin, '')
  return OPEN.test(ours) ? ours : ''
}

const returnPath = (url: URL, returnUrl: string) =>
  returnUrl !== url.pathname && OPEN.test(returnUrl) ? returnUrl : '/dashboard'

/** After the step-up: redirects to the wanted page, or replays the kept form. */
export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await refusalOf(readForm(request, context, Proof))
  const elsewhere = params.id && (await forwardToForm({ context }, params.id, isProof(form)))
  if (elsewhere) return elsewhere
  if (!form.ok) return data({ refusal: form.sentence }, form.init)
  if (!form.value.ok) return data({ errors: form.value.errors }, 422)
  const proof = form.value.value

  const answer = await refusalOf(stepUp(system, actor, proof))
  if (!answer.ok) return data({ refusal: answer.sentence }, answer.init)
  const outcome = answer.value
  if (outcome.kind === 'refused') {
    const office = await refusalOf(readOffice(system, actor))
    const serverTime = shownTime(outcome.serverTime, office.ok ? office.value.timeZone : undefined)
    return data({ refusal: refusalSentence(proof.method, { ...outcome, serverTime }) }, 401)
  }
  if (params.id) return await replayKept({ context }, params.id, outcome.tokens)
  const headers = sessionHeaders(context, outcome.tokens)
  return redirectDocument(returnPathOf(url, context), { status: 303, headers })
}

/*
 * Whether the form is the step-up form, valid or not, and not one of the page that now stands at its
 * address.
 */
const isProof = (form: { ok: true; value: ReadForm<unknown> } | { ok: false }): boolean =>
  form.ok && (form.value.ok || 'method' in form.value.values)

type Answer = { refusal?: string; errors?: FormErrors }

export default function StepUp({ loaderData, actionData }: Route.ComponentProps) {
  const { methods, method, isResuming, path, returnUrl, from, back } = loaderData
  const addressOf = (other: string) => address(path, { method: other, returnUrl, from })
  const { refusal, errors } = (actionData ?? {}) as Answer
  return (
    <StandaloneSheet title="Confirme su identidad" links={<PageLink to={back}>Cancelar</PageLink>}>
      <p className={css.lead}>
        Lo que pidió cambia el acceso a una cuenta. Antes de hacerlo comprobamos que usted sigue
        frente a esta pantalla.
      </p>
      <FactorForm
        method={method}
        methods={methods}
        addressOf={addressOf}
        action={addressOf(method)}
        isNative={isResuming}
        refusal={refusal}
        errors={errors}
      />
    </StandaloneSheet>
  )
}
