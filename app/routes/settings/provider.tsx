import { data, redirect } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import formCss from '#app/ui/forms/form.module.css'
import { PostForm } from '#app/ui/forms/post-form.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { TextField } from '#app/ui/forms/text-field.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { ServiceProviderId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { changeProviderCost } from '#server/features/offices/change-provider-cost.ts'
import { listProviders } from '#server/features/offices/list-providers.ts'
import { moveProvider } from '#server/features/offices/move-provider.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { removeProvider } from '#server/features/offices/remove-provider.ts'
import type { Route } from './+types/provider'
import css from './office.module.css'
import { ProviderAction } from './provider-form.ts'
import { providerView } from './provider-view.ts'

export const handle = { hydrate: true, label: 'Proveedor' }

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.name ?? 'Proveedor'} · Rúbrica` },
]

export async function loader({ params, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return await orErrorPage(find())

  async function find() {
    const all = await listProviders(system, actor)
    const found = all.find(({ id }) => id === params.id)
    if (!found) throw new Problem('not-found', 'no such provider')
    return providerView(found, all, timeZone)
  }
}

export async function action({ request, url, params, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const form = await orErrorPage(readForm(request, context, ProviderAction))
  if (!form.ok) return data({ errors: form.errors, values: form.values }, 422)
  const providerId = await orErrorPage(idOf(params.id))
  const args = { request, url, context }
  if (form.value.intent === 'remove') {
    await orStepUpPage(args, removeProvider(system, actor, { providerId }))
    return redirectWithNotice('/dashboard/settings/providers', 'provider-removed')
  }
  if (form.value.intent === 'cost') {
    const { cost } = form.value
    await orStepUpPage(args, changeProviderCost(system, actor, { providerId, cost }))
    return redirectWithNotice(
      `/dashboard/settings/providers/${providerId}`,
      'provider-cost-changed',
    )
  }
  const { direction } = form.value
  await orStepUpPage(args, moveProvider(system, actor, { providerId, direction }))
  return redirectWithNotice(`/dashboard/settings/providers/${providerId}`, 'provider-moved')
}

const redirectWithNotice = (path: string, notice: Parameters<typeof flash>[0]) =>
  redirect(path, { status: 303, headers: { 'Set-Cookie': flash(notice) } })

async function idOf(text: string | undefined): Promise<ServiceProviderId> {
  const id = ServiceProviderId.safeParse(text)
  if (!id.success) throw new Problem('not-found', 'no id of a provider')
  return id.data
}

export default function Provider({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title={view.name}
        lead={<PageLink to="/dashboard/settings/providers">Volver a los proveedores</PageLink>}
      />
      <Sheets>
        <Sheet>
          <FactList>
            <Fact name="Qué da">{view.kind}</Fact>
            <Fact name="Dirección">{view.url}</Fact>
            <Fact name="Política (OID)">{view.policy}</Fact>
            <Fact name="Autenticación">{view.login}</Fact>
            <Fact name="Desde">{view.since}</Fact>
          </FactList>
        </Sheet>
        <Sheet title="Orden">
          <p className={css.lead}>{view.rank}.</p>
          <div className={css.badges}>
            {view.canMoveEarlier && <MoveForm direction="earlier">Pedirle antes</MoveForm>}
            {view.canMoveLater && <MoveForm direction="later">Pedirle después</MoveForm>}
          </div>
        </Sheet>
        {view.cost !== undefined && (
          <Sheet title="Costo">
            <p className={css.lead}>
              Lo que cuesta cada constancia, para el reporte de constancias. Vale para las que se
              emitan desde ahora.
            </p>
            <PostForm className={formCss.form} noValidate key={view.cost}>
              <input type="hidden" name="intent" value="cost" />
              <TextField
                name="cost"
                label="Costo por constancia, en pesos"
                help="Vacío si no se conoce: el reporte dice “Sin costo registrado”."
                inputMode="decimal"
                maxLength={12}
                autoComplete="off"
                required={false}
                defaultValue={actionData?.values?.cost ?? view.cost}
                errors={actionData?.errors?.cost}
              />
              <SubmitButton variant="default">Guardar costo</SubmitButton>
            </PostForm>
          </Sheet>
        )}
        <Sheet title="Retirar">
          <p className={css.lead}>
            No se le pide nada más y su contraseña se borra. Lo que ya dio sigue valiendo igual.
          </p>
          <PostForm>
            <input type="hidden" name="intent" value="remove" />
            <SubmitButton color="bad" variant="light">
              Retirar proveedor
            </SubmitButton>
          </PostForm>
        </Sheet>
      </Sheets>
    </>
  )
}

const MoveForm = ({ direction, children }: { direction: string; children: string }) => (
  <PostForm>
    <input type="hidden" name="intent" value="move" />
    <input type="hidden" name="direction" value={direction} />
    <SubmitButton variant="default">{children}</SubmitButton>
  </PostForm>
)
