import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { refusalOrStepUp, requireRecentProof } from '#app/http/step-up.ts'
import form from '#app/ui/forms/form.module.css'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { PasswordField } from '#app/ui/forms/password-field.tsx'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SelectField } from '#app/ui/forms/select-field.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { addProvider } from '#server/features/offices/add-provider.ts'
import type { Route } from './+types/new-provider'
import css from './office.module.css'
import { NewProviderForm } from './provider-form.ts'
import { providerKinds } from './provider-words.ts'

export const handle = { hydrate: true, label: 'Agregar proveedor' }

export const meta: Route.MetaFunction = () => [{ title: 'Agregar proveedor · Rúbrica' }]

/** Steps up before the form: a form with a password cannot be kept. `?kind=` is what the link came for. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireRecentProof({ context, url })
  return { kind: url.searchParams.get('kind') === 'constancia' ? 'constancia' : 'timestamp' }
}

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, url, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, NewProviderForm))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const work = addProvider(system, actor, read.value)
  const answer = await refusalOrStepUp({ request, url, context }, work)
  if (!answer.ok) {
    if (answer.init.status !== 409) await orErrorPage(work)
    const { username } = read.value.login ?? { username: '' }
    const { kind, name, url: address, policy } = read.value
    const values = { kind, name, url: address, policy: policy ?? '', username }
    return data<Answer>({ errors: { form: [answer.sentence] }, values }, 409)
  }
  return redirect('/dashboard/settings/providers', {
    status: 303,
    headers: { 'Set-Cookie': flash('provider-added') },
  })
}

export default function NewProvider({ loaderData, actionData }: Route.ComponentProps) {
  const { errors, values }: Answer = actionData ?? {}
  return (
    <>
      <PageHead
        title="Agregar proveedor"
        lead={<PageLink to="/dashboard/settings/providers">Volver a los proveedores</PageLink>}
      />
      <Sheets>
        <Sheet>
          <p className={css.lead}>
            Se le pide después de los que ya están en la lista. Para que sus sellos o constancias
            cuenten en las verificaciones, su autoridad debe estar entre las de confianza.
          </p>
          <PostForm className={form.form} noValidate>
            <FormRefusal errors={errors?.form} />
            <SelectField
              name="kind"
              label="Qué da"
              data={Object.entries(providerKinds).map(([value, label]) => ({ value, label }))}
              defaultValue={values?.kind ?? loaderData.kind}
              errors={errors?.kind}
            />
            <TextField
              name="name"
              label="Nombre"
              help="Como lo reconocerá en la bitácora."
              required
              maxLength={100}
              autoComplete="off"
              defaultValue={values?.name ?? ''}
              errors={errors?.name}
            />
            <TextField
              name="url"
              label="Dirección"
              help="La que le dio el proveedor, completa."
              required
              maxLength={300}
              spellCheck={false}
              autoComplete="off"
              inputMode="url"
              defaultValue={values?.url ?? ''}
              errors={errors?.url}
            />
            <TextField
              name="policy"
              label="Política (OID)"
              help="Solo si el proveedor la pide. Vacía: la que él aplique."
              maxLength={100}
              spellCheck={false}
              autoComplete="off"
              defaultValue={values?.policy ?? ''}
              errors={errors?.policy}
            />
            <TextField
              name="username"
              label="Usuario"
              help="Vacío si el proveedor no pide usuario y contraseña."
              maxLength={200}
              spellCheck={false}
              autoComplete="off"
              defaultValue={values?.username ?? ''}
              errors={errors?.username}
            />
            <PasswordField
              name="password"
              label="Contraseña del proveedor"
              help="Se guarda cifrada y no se vuelve a mostrar."
              maxLength={200}
              autoComplete="new-password"
              errors={errors?.password}
            />
            <SubmitButton>Agregar</SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}
