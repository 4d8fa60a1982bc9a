import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { OnceField } from '#app/ui/forms/once-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextAreaField } from '#app/ui/forms/text-area-field.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { readArcoForm, recordArcoRequest } from '#server/features/arco/record-arco-request.ts'
import { arcoKindsExplained, arcoWays } from '#server/words/care/arco.ts'
import type { Route } from './+types/new-request'
import { RecordForm } from './arco-forms.ts'
import { ARCO_PATH as PATH } from './arco-path.ts'

export const handle = { hydrate: true, label: 'Registrar solicitud ARCO' }

export const meta: Route.MetaFunction = () => [{ title: 'Registrar solicitud ARCO · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { today } = await orErrorPage(readArcoForm(system, actor))
  return { today: today as string, once: newOnce() }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, RecordForm))
  const values = typedIn(context)
  if (!read.ok) return data<Answer>({ errors: read.errors, values }, 422)
  const answer = await refusalOnPage(recordArcoRequest(system, actor, read.value))
  if (answer.ok)
    return redirect(`${PATH}/${answer.value}`, {
      status: 303,
      headers: { 'Set-Cookie': flash('arco-recorded') },
    })
  const field = answer.code === 'arco-day-ahead' ? 'receivedOn' : 'form'
  return data<Answer>({ errors: { [field]: [answer.sentence] }, values }, answer.init)
}

const choicesOf = (words: Readonly<Record<string, string>>) => [
  { value: '', label: 'Elija' },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
]

export default function NewArcoRequest({ loaderData, actionData }: Route.ComponentProps) {
  const { today, once } = loaderData
  const { errors, values = { receivedOn: today } }: Answer = actionData ?? {}
  const field = (name: string) => ({
    name,
    defaultValue: values[name] ?? '',
    errors: errors?.[name],
  })
  return (
    <>
      <PageHead
        title="Registrar solicitud ARCO"
        lead={<PageLink to={PATH}>Volver a las solicitudes</PageLink>}
      />
      <Sheet>
        <PostForm className={`${form.form} ${form.long}`} noValidate>
          <OnceField once={once} />
          <FormRefusal errors={errors?.form} />
          <SelectField
            {...field('kind')}
            label="Qué derecho ejerce"
            data={choicesOf(arcoKindsExplained)}
            required
          />
          <SelectField {...field('way')} label="Cómo llegó" data={choicesOf(arcoWays)} required />
          <TextField
            {...field('receivedOn')}
            type="date"
            label="Qué día llegó"
            help="Desde este día corre el plazo."
            required
          />
          <TextField {...field('name')} label="Nombre de la persona" required />
          <TextField
            {...field('rfc')}
            label="RFC"
            help="Con él se reúnen sus datos si pide acceso."
            autoComplete="off"
          />
          <TextField
            {...field('email')}
            type="email"
            label="Correo electrónico"
            autoComplete="off"
          />
          <TextAreaField {...field('asked')} label="Qué pide" rows={6} required />
          <SubmitButton>Registrar solicitud</SubmitButton>
        </PostForm>
      </Sheet>
    </>
  )
}
