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
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { OfficePolicies, seenText } from '#server/domain/offices/office-policies.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  conflictText,
  policyText,
  publicDownloads,
  publicNames,
  staleText,
} from '#server/words/policies.ts'
import type { Route } from './+types/public-page'

const NAMES = ['publicNames', 'publicDownloads'] as const
const { shape } = OfficePolicies

const PolicyForm = z.object({
  publicNames: withSentence(shape.publicNames, 'Elija cómo se muestran los nombres.'),
  publicDownloads: withSentence(shape.publicDownloads, 'Elija si se ofrecen descargas.'),
  seenNames: z.string().optional(),
  seenDownloads: z.string().optional(),
})

export const handle = { hydrate: true, label: 'Página pública' }

export const meta: Route.MetaFunction = () => [{ title: 'Página pública · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return valuesOf(OfficePolicies.parse(await orErrorPage(readOffice(system, actor))))
}

const valuesOf = (policies: OfficePolicies): Record<string, string> => ({
  publicNames: policies.publicNames,
  publicDownloads: policies.publicDownloads,
  seenNames: seenText(policies.publicNames),
  seenDownloads: seenText(policies.publicDownloads),
})

type Answer = { errors: FormErrors; values: Record<string, string> }

export async function action(args: Route.ActionArgs) {
  const { request, context } = args
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, PolicyForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const { seenNames, seenDownloads, ...decided } = read.value
  const seen = {
    ...(seenNames && { publicNames: seenNames }),
    ...(seenDownloads && { publicDownloads: seenDownloads }),
  }
  const outcome = await orStepUpPage(args, changePolicies(system, actor, { decided, seen }))
  switch (outcome.kind) {
    case 'stale': {
      const { seenNames: names = '', seenDownloads: downloads = '' } = valuesOf(outcome.now)
      const errors = Object.fromEntries(
        NAMES.filter((name) => outcome.names.includes(name)).map((name) => [
          name,
          [staleText(policyText(name, outcome.now[name]))],
        ]),
      )
      const shown = { ...values, seenNames: names, seenDownloads: downloads }
      return data<Answer>({ errors, values: shown }, 409)
    }
    case 'conflict': {
      const errors = { publicNames: outcome.conflicts.map(conflictText) }
      return data<Answer>({ errors, values }, 422)
    }
    case 'changed':
      return redirect('/dashboard/settings', {
        status: 303,
        headers: { 'Set-Cookie': flash('policies-changed') },
      })
  }
}

export default function PublicPagePolicies({ loaderData, actionData }: Route.ComponentProps) {
  const values = actionData?.values ?? loaderData
  const errors: FormErrors = actionData?.errors ?? {}
  return (
    <>
      <PageHead
        title="Página pública"
        lead={<PageLink to="/dashboard/settings">Volver a Configuración</PageLink>}
      />
      <Sheet>
        <p className={css.lead}>
          Lo que ve quien escanea el código QR de un documento. El nombre y la calidad del notario
          se muestran siempre completos; el RFC, siempre oculto en parte. Vale también para los
          documentos que ya están firmados.
        </p>
        <PostForm className={form.form}>
          <input type="hidden" name="seenNames" value={values.seenNames ?? ''} />
          <input type="hidden" name="seenDownloads" value={values.seenDownloads ?? ''} />
          <SelectField
            name="publicNames"
            label="Nombres de los demás firmantes"
            data={optionsOf(publicNames)}
            defaultValue={values.publicNames ?? ''}
            errors={errors.publicNames}
          />
          <SelectField
            name="publicDownloads"
            label="Informe y prueba de la bitácora"
            help="Para descargar. El dictamen se muestra en la página en todo caso."
            data={optionsOf(publicDownloads)}
            defaultValue={values.publicDownloads ?? ''}
            errors={errors.publicDownloads}
          />
          <SubmitButton>Guardar</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
