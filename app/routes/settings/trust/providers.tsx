import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { providersByKind } from '#app/routes/settings/provider-view.ts'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { listProviders } from '#server/features/offices/list-providers.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/providers'
import { ProviderList } from './provider-list.tsx'

export const handle = { hydrate: true, label: 'Proveedores' }

export const meta: Route.MetaFunction = () => [{ title: 'Proveedores · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  return {
    kinds: providersByKind(await orErrorPage(listProviders(system, actor)), timeZone),
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'office.manage'),
  }
}

export default function Providers({ loaderData }: Route.ComponentProps) {
  const { kinds, canManage } = loaderData
  return (
    <>
      <PageHead
        title="Proveedores"
        lead="Quién da los sellos de tiempo y las constancias, en el orden en que se les pide."
        action={
          canManage && (
            <ButtonLink to="/dashboard/settings/providers/new">Agregar proveedor</ButtonLink>
          )
        }
      />
      <Sheets>
        <ProviderList kinds={kinds} canManage={canManage} />
      </Sheets>
    </>
  )
}
