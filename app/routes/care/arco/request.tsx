import { data, type RouterContextProvider, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Email } from '#app/ui/text/email.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { answerRequest } from '#server/features/arco/answer-request.ts'
import { extendTerm } from '#server/features/arco/extend-term.ts'
import { makeEffective } from '#server/features/arco/make-effective.ts'
import { proveIdentity } from '#server/features/arco/prove-identity.ts'
import { readArcoRequest } from '#server/features/arco/read-arco-request.ts'
import { requestPackage } from '#server/features/arco/request-package.ts'
import type { Route } from './+types/request'
import { ArcoForm } from './arco-forms.ts'
import { ARCO_PATH as PATH } from './arco-path.ts'
import { type ArcoView, pageOf } from './arco-view.ts'
import css from './request.module.css'
import { AnswerForm, EffectForm, ExtendForm, IdentityForm, PackageSheet } from './request-forms.tsx'

export const handle = { hydrate: true, label: 'Solicitud ARCO' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.view.number ?? 'Solicitud ARCO'} · Rúbrica` },
]

type Context = Readonly<RouterContextProvider>

async function requestIn(params: { id?: string }, context: Context) {
  const id = ArcoRequestId.safeParse(params.id)
  if (!id.success) throw new Problem('not-found', 'no id of a request')
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return { system, actor, requestId: id.data }
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, requestId } = await orErrorPage(requestIn(params, context))
  const found = await orErrorPage(readArcoRequest(system, actor, { requestId }))
  const { roles } = mustBeSignedIn(actor)
  return {
    view: pageOf(found),
    canRecord: isAllowed(roles, 'arco.record'),
    canAnswer: isAllowed(roles, 'arco.answer'),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

const DONE: Record<ArcoForm['intent'], FlashKey> = {
  identify: 'arco-identified',
  extend: 'arco-extended',
  answer: 'arco-answered',
  effect: 'arco-effected',
  gather: 'arco-package-requested',
}

/** Which field shows a refusal; others stand above the form. */
const FIELDS: Record<string, string> = {
  'arco-day-ahead': 'on',
  'arco-reason-missing': 'legal',
  'arco-unproven': 'outcome',
}

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const { system, actor, requestId } = await orErrorPage(requestIn(params, context))
  const read = await orErrorPage(readForm(request, context, ArcoForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const work = decide(read.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (answer.ok)
    return redirect(`${PATH}/${requestId}`, {
      status: 303,
      headers: { 'Set-Cookie': flash(DONE[read.value.intent]) },
    })
  // The page could not be shown again.
  if (answer.code === 'forbidden' || answer.code === 'not-found') await orErrorPage(work)
  const field = FIELDS[answer.code] ?? 'form'
  return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)

  async function decide(value: ArcoForm): Promise<void> {
    switch (value.intent) {
      case 'identify': {
        const { how, on, note } = value
        return await proveIdentity(system, actor, { requestId, how, on, note })
      }
      case 'extend':
        return await extendTerm(system, actor, { requestId, reason: value.reason })
      case 'answer': {
        const { outcome, text, legal: reason } = value
        return await answerRequest(system, actor, { requestId, outcome, text, reason })
      }
      case 'effect':
        return await makeEffective(system, actor, { requestId, note: value.done })
      case 'gather':
        return await requestPackage(system, actor, { requestId })
    }
  }
}

export default function ArcoRequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, canRecord, canAnswer } = loaderData
  const { errors, values = {} }: Answer = actionData ?? {}
  const typed = { errors, values }
  /** The errors of the form that was sent. */
  const of = (intent: ArcoForm['intent']) =>
    values.intent === intent ? typed : { errors: undefined, values: {} }
  return (
    <>
      <PageHead
        title={view.number}
        lead={<PageLink to={PATH}>Volver a las solicitudes</PageLink>}
      />
      <Sheets>
        <RequestFacts view={view} />
        {view.isAwaitingIdentity && canRecord && <IdentityForm {...of('identify')} view={view} />}
        {view.isAwaitingAnswer && canAnswer && <AnswerForm {...of('answer')} view={view} />}
        {view.isAwaitingEffect && canAnswer && <EffectForm {...of('effect')} />}
        {view.isAccess && view.isProven && (
          <PackageSheet {...{ view, canAnswer }} {...of('gather')} />
        )}
        {view.isExtendable && canAnswer && <ExtendForm {...of('extend')} />}
        <Sheet title="Qué se ha hecho">
          <ol className={css.steps}>
            {view.steps.map(({ id, text, note, when }) => (
              <li key={id}>
                <span>
                  {text} · <Time at={when.at}>{when.text}</Time>
                </span>
                {note && <span className={css.note}>{note}</span>}
              </li>
            ))}
          </ol>
        </Sheet>
      </Sheets>
    </>
  )
}

function RequestFacts({ view }: { view: ArcoView }) {
  const { due, identity, answer } = view
  return (
    <Sheet title={view.kind} aside={<Badge tone={view.state.tone}>{view.state.word}</Badge>}>
      <FactList>
        <Fact name="Persona">{view.name}</Fact>
        <Fact name="RFC">{view.rfc}</Fact>
        <Fact name="Correo electrónico">{view.email && <Email address={view.email} />}</Fact>
        <Fact name="Recibida">
          {view.received} · {view.way}
        </Fact>
        <Fact name="Plazo">
          {due && (
            <>
              {due.text} {due.isLate && <Badge tone="bad">Vencido</Badge>}
            </>
          )}
        </Fact>
        <Fact name="Plazos que le tocan">{view.terms}</Fact>
        <Fact name="Qué pide">
          <span className={css.text}>{view.asked}</span>
        </Fact>
        <Fact name="Identidad">
          {identity ? [identity.text, identity.note].filter(Boolean).join(' · ') : 'Sin acreditar'}
        </Fact>
        {answer && (
          <Fact name="Respuesta">
            <span className={css.text}>
              {answer.outcome}, el {answer.on}.{'\n'}
              {answer.text}
              {answer.reason && `\nFundamento: ${answer.reason}`}
            </span>
          </Fact>
        )}
      </FactList>
    </Sheet>
  )
}
