import { data, type RouterContextProvider, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp } from '#app/http/step-up.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { DocumentId } from '#server/domain/ids.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  blockDocument,
  destroyDocument,
  postponeRetention,
} from '#server/features/retention/decide-retention.ts'
import { readRetention } from '#server/features/retention/list-retention.ts'
import type { Route } from './+types/item'
import { RetentionForm } from './retention-form.ts'
import { RETENTION_PATH as PATH } from './retention-path.ts'
import { type RetentionView, retentionView } from './retention-view.ts'

export const handle = { hydrate: true, label: 'Conservación' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Conservación de ${loaderData?.view.folio ?? 'un documento'} · Rúbrica` },
]

async function documentIn(params: { id?: string }, context: Readonly<RouterContextProvider>) {
  const id = DocumentId.safeParse(params.id)
  if (!id.success) throw new Problem('not-found', 'no id of a document')
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return { system, actor, documentId: id.data }
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { system, actor, documentId } = await orErrorPage(documentIn(params, context))
  const { office, item } = await orErrorPage(readRetention(system, actor, { documentId }))
  return {
    view: retentionView(item, office.timeZone),
    canDecide: isAllowed(mustBeSignedIn(actor).roles, 'retention.decide'),
  }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

const DONE: Record<RetentionForm['intent'], FlashKey> = {
  postpone: 'retention-postponed',
  block: 'retention-blocked',
  destroy: 'retention-destroyed',
}

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const { system, actor, documentId } = await orErrorPage(documentIn(params, context))
  const read = await orErrorPage(readForm(request, context, RetentionForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const work = decide(read.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (answer.ok)
    return redirect(`${PATH}/${documentId}`, {
      status: 303,
      headers: { 'Set-Cookie': flash(DONE[read.value.intent]) },
    })
  // The page could not be shown again.
  if (answer.code === 'forbidden' || answer.code === 'not-found') await orErrorPage(work)
  return data<Answer>({ errors: { form: [answer.sentence] }, values }, answer.init)

  async function decide(value: RetentionForm): Promise<void> {
    const { intent, ...asked } = value
    const given = { documentId, ...asked }
    if (intent === 'block') return await blockDocument(system, actor, given)
    if (intent === 'destroy') return await destroyDocument(system, actor, given)
    return await postponeRetention(system, actor, { ...given, months: value.months })
  }
}

export default function RetentionItemPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, canDecide } = loaderData
  const { errors, values = {} }: Answer = actionData ?? {}
  const of = (intent: RetentionForm['intent']) =>
    values.intent === intent ? { errors, values } : { errors: undefined, values: {} }
  return (
    <>
      <PageHead
        title={`Conservación de ${view.folio}`}
        lead={<PageLink to={PATH}>Volver a la lista</PageLink>}
      />
      <Sheets>
        <Facts view={view} />
        {view.isProposed && canDecide && (
          <>
            <DecisionForm
              {...of('block')}
              intent="block"
              title="Bloquear"
              text="Desde ese momento lo leen solo notarios, administradores y auditores. Cuando termine el bloqueo, otra persona puede destruirlo."
              button="Bloquear documento"
            />
            <PostponeForm {...of('postpone')} />
          </>
        )}
        {view.isBlocked && canDecide && view.mayDestroy && (
          <DecisionForm
            {...of('destroy')}
            intent="destroy"
            title="Destruir"
            text="Se borran sus archivos y no se pueden recuperar, salvo de un respaldo anterior. El folio, sus datos, la huella digital y su historial se conservan."
            button="Destruir documento"
          />
        )}
      </Sheets>
    </>
  )
}

function Facts({ view }: { view: RetentionView }) {
  return (
    <Sheet title={view.title} aside={<Badge tone={view.state.tone}>{view.state.word}</Badge>}>
      <FactList>
        <Fact name="Documento">
          <PageLink to={`/dashboard/documents/${view.id}`}>{view.folio}</PageLink>
        </Fact>
        <Fact name="Tipo">{view.kind}</Fact>
        <Fact name="Terminó">{view.ended}</Fact>
        <Fact name="Desde">{view.since}</Fact>
        <Fact name="Hasta">{view.until}</Fact>
        <Fact name="Quién">{view.by}</Fact>
        <Fact name="Motivo">{view.reason}</Fact>
      </FactList>
      {view.isBlocked && !view.mayDestroy && (
        <p>Puede destruirlo otra persona, cuando termine el bloqueo.</p>
      )}
    </Sheet>
  )
}

type Sent = { errors: FormErrors | undefined; values: Record<string, string> }
type Decision = Sent & {
  intent: 'block' | 'destroy'
  title: string
  text: string
  button: string
}

function DecisionForm({ errors, values, intent, title, text, button }: Decision) {
  return (
    <Sheet title={title}>
      <PostForm className={form.form} noValidate>
        <input type="hidden" name="intent" value={intent} />
        <FormRefusal errors={errors?.form} />
        <p>{text}</p>
        <TextField
          id={`field-reason-${intent}`}
          name="reason"
          label="Motivo"
          defaultValue={values.reason ?? ''}
          errors={errors?.reason}
          required
        />
        <SubmitButton color="bad" variant="light">
          {button}
        </SubmitButton>
      </PostForm>
    </Sheet>
  )
}

function PostponeForm({ errors, values }: Sent) {
  return (
    <Sheet title="Aplazar">
      <PostForm className={form.form} noValidate>
        <input type="hidden" name="intent" value="postpone" />
        <FormRefusal errors={errors?.form} />
        <p>Se conserva y se propone otra vez después.</p>
        <TextField
          name="months"
          label="Cuántos meses"
          inputMode="numeric"
          defaultValue={values.months ?? '12'}
          errors={errors?.months}
          required
        />
        <TextField
          name="reason"
          label="Motivo para conservarlo"
          defaultValue={values.reason ?? ''}
          errors={errors?.reason}
          required
        />
        <SubmitButton variant="default">Aplazar</SubmitButton>
      </PostForm>
    </Sheet>
  )
}
