import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import css from '#app/routes/settings/office.module.css'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { RetentionTerm } from '#server/domain/identity/office.ts'
import { OfficePolicies, seenText } from '#server/domain/offices/office-policies.ts'
import {
  KEPT_FOR_EVER,
  KINDS_WITH_TERM,
  type RetentionYears,
} from '#server/domain/offices/retention-years.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { documentKinds } from '#server/words/documents.ts'
import { conflictText, retentionText, staleText } from '#server/words/policies.ts'
import type { Route } from './+types/retention'

const SENTENCE = 'Escriba de 5 a 99 años, con cifras, o deje vacío para conservar sin límite.'

/** Empty: kept for ever. */
const Years = withSentence(
  z.union([
    z
      .string()
      .trim()
      .length(0)
      .transform(() => null),
    z
      .string()
      .trim()
      .regex(/^\d{1,2}$/)
      .transform(Number)
      .pipe(RetentionTerm),
  ]),
  SENTENCE,
).default(null)

const fieldOf = (kind: string) => `years-${kind}`

const RetentionForm = z.object({
  ...Object.fromEntries(KINDS_WITH_TERM.map((kind) => [fieldOf(kind), Years])),
  seen: z.string().optional(),
})

export const handle = { hydrate: true, label: 'Conservación' }

export const meta: Route.MetaFunction = () => [{ title: 'Conservación de documentos · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const policies = OfficePolicies.parse(await orErrorPage(readOffice(system, actor)))
  return {
    kinds: KINDS_WITH_TERM.map((kind) => ({ field: fieldOf(kind), name: documentKinds[kind] })),
    kept: KEPT_FOR_EVER.map((kind) => documentKinds[kind]).join(', '),
    values: valuesOf(policies),
  }
}

const valuesOf = ({ retentionYears }: OfficePolicies): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(retentionYears).map(([kind, years]) => [fieldOf(kind), String(years)]),
  ),
  seen: seenText(retentionYears),
})

type Answer = { errors: FormErrors; values: Record<string, string> }

export async function action(args: Route.ActionArgs) {
  const { request, context } = args
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, RetentionForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { seen } = read.value
  const change = {
    decided: { retentionYears: yearsIn(read.value) },
    ...(seen && { seen: { retentionYears: seen } }),
  }
  const outcome = await orStepUpPage(args, changePolicies(system, actor, change))
  switch (outcome.kind) {
    case 'stale': {
      const errors = { form: [staleText(retentionText(outcome.now.retentionYears))] }
      const shown = { ...values, seen: seenText(outcome.now.retentionYears) }
      return data<Answer>({ errors, values: shown }, 409)
    }
    case 'conflict':
      return data<Answer>({ errors: { form: outcome.conflicts.map(conflictText) }, values }, 422)
    case 'changed':
      return redirect('/dashboard/settings', {
        status: 303,
        headers: { 'Set-Cookie': flash('policies-changed') },
      })
  }
}

const yearsIn = (read: Readonly<Record<string, unknown>>): RetentionYears =>
  Object.fromEntries(
    KINDS_WITH_TERM.flatMap((kind) => {
      const years = read[fieldOf(kind)]
      return typeof years === 'number' ? [[kind, years]] : []
    }),
  )

export default function RetentionPolicyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { kinds, kept } = loaderData
  const values = actionData?.values ?? loaderData.values
  const errors: FormErrors = actionData?.errors ?? {}
  return (
    <>
      <PageHead
        title="Conservación de documentos"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheet>
        <p className={css.lead}>
          Cuántos años conserva la notaría los documentos de cada tipo. Es una decisión de la
          notaría: consulte la ley de su estado. Lo que es del protocolo ({kept}) se conserva sin
          límite. Aquí no se destruye nada.
        </p>
        <PostForm className={`${form.form} ${form.long}`} noValidate>
          <FormRefusal errors={errors.form} />
          <input type="hidden" name="seen" value={values.seen ?? ''} />
          {kinds.map(({ field, name }) => (
            <TextField
              key={field}
              name={field}
              label={`${name} (años)`}
              inputMode="numeric"
              autoComplete="off"
              maxLength={2}
              defaultValue={values[field] ?? ''}
              errors={errors[field]}
            />
          ))}
          <SubmitButton>Guardar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
