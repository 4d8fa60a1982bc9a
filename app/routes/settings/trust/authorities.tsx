import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { authorityView } from '#app/routes/settings/authority-view.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { listAuthorities } from '#server/features/offices/list-authorities.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import type { Route } from './+types/authorities'
import { AuthorityList } from './authority-list.tsx'

export const handle = { hydrate: true, label: 'Autoridades' }

export const meta: Route.MetaFunction = () => [{ title: 'Autoridades de confianza · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const authorities = await orErrorPage(listAuthorities(system, actor))
  return {
    authorities: authorities.map((one) => authorityView(one, timeZone, system.clock.now())),
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'office.manage'),
  }
}

export default function Authorities({ loaderData }: Route.ComponentProps) {
  const { authorities, canManage } = loaderData
  return (
    <>
      <PageHead
        title="Autoridades de confianza"
        lead="De quién se acepta un certificado, y de quién todavía no."
        action={
          canManage && (
            <ButtonLink to="/dashboard/settings/authorities/new">Importar autoridades</ButtonLink>
          )
        }
      />
      <Sheet>
        <AuthorityList authorities={authorities} canManage={canManage} />
      </Sheet>
    </>
  )
}
