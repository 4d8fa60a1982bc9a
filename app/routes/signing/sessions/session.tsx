import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { peopleChoices } from '#app/http/shown-person.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { withOwnFirst } from '#app/ui/document/document-filters.ts'
import { ProtocolNotice } from '#app/ui/document/protocol-notice.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { listActs } from '#server/features/acts/list-acts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listColleagues } from '#server/features/signing-sessions/list-colleagues.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import type { Route } from './+types/session'
import { actChoices } from './act-choices.ts'
import { draftOffer, NO_DRAFTS } from './draft-offer.ts'
import { NO_OFFER, offerOf } from './party-offer.ts'
import { SessionActions } from './session-actions.tsx'
import { SessionDocuments } from './session-documents.tsx'
import type { SessionFault } from './session-fault.ts'
import { perform, SessionForm } from './session-forms.ts'
import { SessionFacts, SessionHead } from './session-head.tsx'
import { SessionSigners } from './session-signers.tsx'
import { sessionView } from './session-view.ts'

export const handle = { hydrate: true, label: 'Sesión de firma' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.view.title ?? 'Sesión de firma'} · Rúbrica` },
]

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const signingSessionId = await orErrorPage(idOf(params.id))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const detail = await orErrorPage(readSigningSession(system, actor, { signingSessionId }))
  const own = mustBeSignedIn(actor)
  const view = sessionView(detail, own, timeZone)
  const staff = view.canManage ? await orErrorPage(listColleagues(system, actor)) : []
  const colleagues = peopleChoices(staff)
  const isDraft = view.state === 'draft' && view.canManage
  const acts = isDraft ? await orErrorPage(listActs(system, actor)) : []
  const offer = isDraft ? await orErrorPage(offerOf(context, url.searchParams)) : NO_OFFER
  return {
    view,
    offer,
    acts: actChoices(acts, view.act),
    ...{ colleagues, people: withOwnFirst(colleagues, own.userId) },
    drafts: isDraft ? await orErrorPage(draftOffer(context, url.searchParams, view)) : NO_DRAFTS,
  }
}

export async function action({ request, params, url, context }: Route.ActionArgs) {
  const id = await orErrorPage(idOf(params.id))
  const form = await orErrorPage(readForm(request, context, SessionForm))
  const values = typedIn(context)
  const faultWith = (errors: SessionFault['errors']): SessionFault => ({
    intent: values.intent ?? '',
    signerId: values.signerId ?? '',
    errors,
    values,
  })
  if (!form.ok) return data(faultWith(form.errors), 422)
  const work = perform(context, id, form.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status === 403 || answer.init.status === 404) await orErrorPage(work)
    const field = FIELDS[answer.code] ?? 'form'
    return data(faultWith({ [field]: [answer.sentence] }), answer.init)
  }
  return redirect(`/dashboard/signing/${id}`, {
    status: 303,
    headers: { 'Set-Cookie': answer.value },
  })
}

/** The field at which a refusal is shown. */
const FIELDS: Partial<Record<ProblemCode, string>> = {
  'session-deadline': 'deadline',
  'character-missing': 'character',
  'signer-twice': 'rfc',
  'signer-differs': 'rfc',
  'signer-signed-before': 'again',
}

async function idOf(text: string | undefined): Promise<SigningSessionId> {
  const id = SigningSessionId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a signing session')
  return id.data
}

export default function SessionPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, acts, colleagues, people, drafts, offer } = loaderData
  const fault: SessionFault | undefined = actionData
  return (
    <>
      <SessionHead view={view} />
      <Sheets>
        <FormRefusal errors={fault?.errors.form} />
        <SessionFacts view={view} />
        <ProtocolNotice leavesProtocol={view.act?.leavesProtocol ?? false} />
        <SessionDocuments view={view} drafts={drafts} people={people} fault={fault} />
        <SessionSigners view={view} colleagues={colleagues} offer={offer} fault={fault} />
        <SessionActions view={view} acts={acts} fault={fault} />
      </Sheets>
    </>
  )
}
