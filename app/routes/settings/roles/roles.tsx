import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Role } from '#server/domain/identity/role.ts'
import { type Action, rolesAllowed } from '#server/domain/policy/authorize.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { actions } from '#server/words/people.ts'
import type { Route } from './+types/roles'
import { RolesTable } from './roles-table.tsx'

export const handle = { hydrate: true, label: 'Roles' }

export const meta: Route.MetaFunction = () => [{ title: 'Roles · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  await orErrorPage(readOffice(context.get(systemContext), context.get(actorContext)))
  return {
    rows: Object.entries(actions).map(([action, name]) => ({
      name,
      allowed: Role.options.map((role) => rolesAllowed(action as Action).includes(role)),
    })),
  }
}

export default function Roles({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Roles"
        lead={
          <>
            Lo que permite cada rol. Una persona puede tener varios; se cambian en su página de{' '}
            <PageLink to="/dashboard/users">Usuarios</PageLink>.
          </>
        }
      />
      <Sheet>
        <RolesTable rows={loaderData.rows} />
      </Sheet>
    </>
  )
}
