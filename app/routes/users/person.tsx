import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import {
  activationLinkCookie,
  clearActivationLinkCookie,
  readActivationLinkCookie,
} from '#app/http/cookies/activation-link-cookie.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { readUser } from '#server/features/users/read-user.ts'
import type { Route } from './+types/person'
import { type FaultyForm, faultOf } from './faulty-form.ts'
import { NewLinkSheet } from './new-link-sheet.tsx'
import { PersonData } from './person-data.tsx'
import { PersonFactors } from './person-factors.tsx'
import { PersonForm, perform } from './person-forms.ts'
import { PersonHead } from './person-head.tsx'
import { PersonLinks } from './person-links.tsx'
import { PersonLocks } from './person-locks.tsx'
import { PersonSessions } from './person-sessions.tsx'
import { PersonState } from './person-state.tsx'
import { linkView, personView } from './person-view.ts'

export const handle = { hydrate: true, label: 'Persona' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.view.name ?? 'Persona'} · Rúbrica` },
]

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const userId = await orErrorPage(idOf(params.id))
  const page = await orErrorPage(readUser(system, actor, { userId }))
  const view = personView(page, mustBeSignedIn(actor), system.clock.now())
  const link = readActivationLinkCookie(request, context, userId)
  if (!link) return data({ view, link: null })
  const shown = linkView(link, system.settings.publicOrigin, page.timeZone)
  return data({ view, link: shown }, { headers: { 'Set-Cookie': clearActivationLinkCookie() } })
}

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const userId = await orErrorPage(idOf(params.id))
  const form = await orErrorPage(readForm(request, context, PersonForm))
  const typed = typedIn(context)
  const intent = typed.intent ?? ''
  if (!form.ok) return data(faultOf(intent, form.errors, typed), 422)

  const work = perform(context, userId, form.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status === 403 || answer.init.status === 404) await orErrorPage(work)
    const errors = { [fieldOf(answer.code)]: [answer.sentence] }
    return data({ intent, errors, values: typed } satisfies FaultyForm, answer.init)
  }
  const { notice, link } = answer.value
  const headers = new Headers({ 'Set-Cookie': flash(notice) })
  if (link) headers.append('Set-Cookie', activationLinkCookie(context, link))
  return redirect(`/dashboard/users/${userId}`, { status: 303, headers })
}

const fieldOf = (code: string) => (code === 'address-taken' ? 'email' : 'form')

async function idOf(text: string | undefined): Promise<UserId> {
  const id = UserId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a person')
  return id.data
}

export default function PersonPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, link } = loaderData
  const fault: FaultyForm | undefined = actionData
  return (
    <>
      <PersonHead view={view} />
      <Sheets>
        {/* The long form shows its own. */}
        {fault?.intent !== 'change' && <FormRefusal errors={fault?.errors.form} />}
        {link && <NewLinkSheet link={link} name={view.name} />}
        {view.access && <PersonLocks view={view} access={view.access} />}
        <PersonData view={view} fault={fault} />
        {view.access && <PersonSessions view={view} access={view.access} />}
        {view.access && <PersonFactors view={view} access={view.access} fault={fault} />}
        {view.access && <PersonLinks view={view} access={view.access} fault={fault} />}
        {view.canManage && !view.isOneself && <PersonState view={view} fault={fault} />}
      </Sheets>
    </>
  )
}
