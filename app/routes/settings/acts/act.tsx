import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage, refusalOrStepUp } from '#app/http/step-up.ts'
import css from '#app/routes/settings/office.module.css'
import { Notice } from '#app/ui/feedback/notice.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ActId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { MOST_ROLES } from '#server/domain/signing/act/act.ts'
import { changeAct } from '#server/features/acts/change-act.ts'
import { readAct } from '#server/features/acts/read-act.ts'
import { setActState } from '#server/features/acts/set-act-state.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/act'
import { ActFields } from './act-fields.tsx'
import { ActPageForm, fieldsOfAct } from './act-form.ts'

const PATH = '/dashboard/settings/acts'
const STALE =
  'El acto cambió mientras usted lo editaba. Aquí está el actual: si hace falta, haga su cambio de nuevo.'

export const handle = { hydrate: true, label: 'Acto' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Acto'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  const actId = await orErrorPage(idOf(params.id))
  const act = await orErrorPage(readAct(system, actor, { actId }))
  return {
    rows: MOST_ROLES,
    ...{ entity, name: act.name, state: act.state, values: fieldsOfAct(act, entity) },
    at: String(act.at ?? ''),
    elsewhere: act.electronic && act.electronic.entity !== entity ? act.electronic.entity : null,
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string>; at?: string }

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { entity } = await orErrorPage(readOffice(system, actor))
  const actId = await orErrorPage(idOf(params.id))
  const read = await orErrorPage(readForm(request, context, ActPageForm(entity)))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const args = { request, url, context }
  if (read.value.intent !== 'change') {
    const state = read.value.intent === 'retire' ? 'retired' : 'active'
    await orStepUpPage(args, setActState(system, actor, { actId, state }))
    return redirectWith(state === 'retired' ? 'act-retired' : 'act-restored')
  }
  const { at: seenAt, act } = read.value
  const work = changeAct(system, actor, { actId, seenAt, data: act })
  const answer = await refusalOrStepUp(args, work)
  if (answer.ok) return redirectWith('act-changed')
  if (answer.init.status !== 409) await orErrorPage(work)
  if (answer.code !== 'stale-version') {
    const field = answer.code === 'act-known' ? 'name' : 'form'
    return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
  }
  const current = await orErrorPage(readAct(system, actor, { actId }))
  const shown = { values: fieldsOfAct(current, entity), at: String(current.at ?? '') }
  return data<Answer>({ errors: { form: [STALE] }, ...shown }, answer.init)
}

const redirectWith = (notice: Parameters<typeof flash>[0]) =>
  redirect(PATH, { status: 303, headers: { 'Set-Cookie': flash(notice) } })

async function idOf(text: string | undefined): Promise<ActId> {
  const id = ActId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of an act')
  return id.data
}

export default function ActPage({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values, at = loaderData.at }: Answer = actionData ?? {}
  const { entity, elsewhere, name, state } = loaderData
  return (
    <>
      <PageHead title={name} lead={<PageLink to={PATH}>Volver a los actos</PageLink>} />
      <Sheets>
        <Sheet title="Datos">
          <p className={css.lead}>
            Las sesiones de firma que ya se hicieron conservan el acto como era.
          </p>
          {elsewhere && (
            <Notice tone="wait" isLive={false}>
              {`Lo que se había respondido es de ${elsewhere} y no vale en ${entity}.`}
            </Notice>
          )}
          {/* A new key: the fields show the current act instead of what was typed. */}
          <PostForm key={at} className={`${form.form} ${form.long}`} noValidate>
            <input type="hidden" name="intent" value="change" />
            <input type="hidden" name="at" value={at} />
            <FormRefusal errors={errors?.form} />
            <ActFields
              values={values ?? loaderData.values}
              errors={errors}
              entity={entity}
              rows={loaderData.rows}
            />
            <SubmitButton>Guardar</SubmitButton>
          </PostForm>
        </Sheet>
        {state === 'active' ? (
          <Sheet title="Retirar">
            <p className={css.lead}>
              Ya no se elige al hacer una sesión de firma. Puede volver a usarse.
            </p>
            <PostForm>
              <input type="hidden" name="intent" value="retire" />
              <SubmitButton color="bad" variant="light">
                Retirar acto
              </SubmitButton>
            </PostForm>
          </Sheet>
        ) : (
          <Sheet title="Retirado">
            <p className={css.lead}>No se elige al hacer una sesión de firma.</p>
            <PostForm>
              <input type="hidden" name="intent" value="restore" />
              <SubmitButton variant="default">Volver a usar</SubmitButton>
            </PostForm>
          </Sheet>
        )}
      </Sheets>
    </>
  )
}
