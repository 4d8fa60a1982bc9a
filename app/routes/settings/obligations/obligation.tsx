import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ObligationId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  changeObligation,
  setObligationState,
} from '#server/features/obligations/change-obligation.ts'
import { readObligation } from '#server/features/obligations/list-obligations.ts'
import { isUnconfirmed } from '#server/words/obligations.ts'
import type { Route } from './+types/obligation'
import { ObligationFields } from './obligation-fields.tsx'
import { fieldsOfObligation, ObligationForm } from './obligation-form.ts'
import css from './obligations.module.css'

const PATH = '/dashboard/settings/obligations'
const STALE =
  'La obligación cambió mientras usted la editaba. Aquí está la actual: si hace falta, haga su cambio de nuevo.'

export const handle = { hydrate: true, label: 'Obligación' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Obligación'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const obligationId = await orErrorPage(idOf(params.id))
  const obligation = await orErrorPage(readObligation(system, actor, { obligationId }))
  return {
    ...{ name: obligation.name, state: obligation.state, basis: obligation.term.basis },
    ...{ at: String(obligation.at ?? ''), values: fieldsOfObligation(obligation) },
    isUnconfirmed: isUnconfirmed(obligation),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string>; at?: string }

export async function action({ request, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const obligationId = await orErrorPage(idOf(params.id))
  const read = await orErrorPage(readForm(request, context, ObligationForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const typed = read.value
  if (typed.intent !== 'change') {
    const state = typed.intent === 'switch-off' ? 'off' : 'active'
    const work = setObligationState(system, actor, { obligationId, state })
    const answer = await refusalOnPage(work)
    return answer.ok
      ? redirectWith(state === 'off' ? 'obligation-off' : 'obligation-on')
      : data<Answer>({ errors: { form: [answer.sentence] } }, answer.init)
  }
  const work = changeObligation(system, actor, {
    ...{ obligationId, data: typed.data, seenAt: typed.at },
  })
  const answer = await refusalOnPage(work)
  if (answer.ok) return redirectWith('obligation-changed')
  if (answer.code !== 'stale-version') {
    const field = answer.code === 'obligation-known' ? 'name' : 'form'
    return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
  }
  const current = await orErrorPage(readObligation(system, actor, { obligationId }))
  const shown = { values: fieldsOfObligation(current), at: String(current.at ?? '') }
  return data<Answer>({ errors: { form: [STALE] }, ...shown }, answer.init)
}

const redirectWith = (notice: Parameters<typeof flash>[0]) =>
  redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash(notice) } })

async function idOf(text: string | undefined): Promise<ObligationId> {
  const id = ObligationId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of an obligation')
  return id.data
}

export default function ObligationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { name, state, basis, isUnconfirmed: isSuggested } = loaderData
  const { errors, values = loaderData.values, at = loaderData.at }: Answer = actionData ?? {}
  return (
    <>
      <PageHead title={name} lead={<PageLink to={PATH}>Volver a los plazos y fuentes</PageLink>} />
      <FormRefusal errors={errors?.form} />
      <Sheets>
        <Sheet title="Plazo y fuente">
          <p className={css.lead}>
            Al guardar, los vencimientos pendientes se cuentan de nuevo. Lo que ya se anotó como
            cumplido queda igual.
          </p>
          {/* A new key: the fields show the current obligation instead of what was typed. */}
          <PostForm key={at} className={form.form} noValidate>
            {isSuggested && (
              <Notice tone="wait" isLive={false}>
                Viene con el sistema y nadie de su notaría la ha confirmado. Compruebe el plazo y su
                fuente; al guardarla queda como de la notaría.
              </Notice>
            )}
            <input type="hidden" name="intent" value="change" />
            <input type="hidden" name="at" value={at} />
            <ObligationFields values={values} errors={errors} basis={basis} />
            <SubmitButton>Guardar</SubmitButton>
          </PostForm>
        </Sheet>
        {state === 'active' ? (
          <Sheet title="Apagar">
            <p className={css.lead}>
              Sus vencimientos pendientes se retiran y no hay otros. Puede volver a encenderse.
            </p>
            <PostForm>
              <input type="hidden" name="intent" value="switch-off" />
              <SubmitButton color="bad" variant="light">
                Apagar obligación
              </SubmitButton>
            </PostForm>
          </Sheet>
        ) : (
          <Sheet title="Apagada">
            <p className={css.lead}>No tiene vencimientos. Para encenderla debe tener su plazo.</p>
            <PostForm>
              <input type="hidden" name="intent" value="switch-on" />
              <SubmitButton variant="default">Encender obligación</SubmitButton>
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
