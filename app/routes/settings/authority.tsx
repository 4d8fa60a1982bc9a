import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { decideAuthority } from '#server/features/offices/decide-authority.ts'
import { listAuthorities } from '#server/features/offices/list-authorities.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/authority'
import { DecisionForm } from './authority-decision.ts'
import { AcceptForm, RemoveForm } from './authority-forms.tsx'
import { authorityView } from './authority-view.ts'
import css from './office.module.css'

export const handle = { hydrate: true, label: 'Configuración' }

export const meta: Route.MetaFunction = () => [{ title: 'Autoridad · Rúbrica' }]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return authorityView(await orErrorPage(find()), timeZone, system.clock.now())

  async function find() {
    const all = await listAuthorities(system, actor)
    const found = all.find(({ sha256, state }) => sha256 === params.sha256 && state !== 'built-in')
    if (!found) throw new Problem('not-found', 'no such authority')
    return found
  }
}

type Answer = { errors: FormErrors; values: Record<string, string> }

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, DecisionForm))
  if (!form.ok) return data<Answer>({ errors: form.errors, values: form.values }, 422)
  const sha256 = await orErrorPage(fingerprintOf(params.sha256))
  const work = decideAuthority(system, actor, { ...form.value, sha256 })
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    return data<Answer>({ errors: { form: [answer.sentence] }, values: {} }, answer.init)
  }
  const notice = form.value.kind === 'accept' ? 'authority-accepted' : 'authority-removed'
  return redirect('/dashboard/settings/authorities', {
    status: 303,
    headers: { 'Set-Cookie': flash(notice) },
  })
}

async function fingerprintOf(text: string | undefined): Promise<Sha256> {
  const parsed = Sha256.safeParse(text)
  if (!parsed.success) throw new Problem('not-found', 'no fingerprint')
  return parsed.data
}

export default function Authority({ loaderData: view, actionData }: Route.ComponentProps) {
  const { errors, values }: Partial<Answer> = actionData ?? {}
  return (
    <>
      <PageHead
        title={view.name}
        lead={<PageLink to="/dashboard/settings/authorities">Volver a las autoridades</PageLink>}
      />
      <Sheets>
        <FormRefusal errors={errors?.form} />
        <Sheet>
          <div className={css.badges}>
            <Badge tone={view.state.tone}>{view.state.word}</Badge>
            {view.forTesting && <Badge tone="wait">de prueba</Badge>}
          </div>
          <FactList>
            <Fact name="Función">{view.role}</Fact>
            <Fact name="Vigencia">{view.validity}</Fact>
            <Fact name="Revocación">{view.revocation}</Fact>
            <Fact name="Dónde se pregunta">{view.ocsp}</Fact>
            <Fact name="Desde">{view.decision}</Fact>
            <Fact name="Huella digital (SHA-256)" help="fingerprint">
              <Hash value={view.sha256} />
            </Fact>
          </FactList>
        </Sheet>
        {view.isTrusted ? (
          <RemoveForm errors={errors} values={values} />
        ) : (
          <AcceptForm errors={errors} values={values} />
        )}
      </Sheets>
    </>
  )
}
