import { Outlet } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { Shell } from '#app/ui/shell/shell.tsx'
import { initials } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { countUnreadAlerts } from '#server/features/alerts/count-unread-alerts.ts'
import { officeToSwitchFrom } from '#server/features/auth/list-own-accounts.ts'
import type { Route } from './+types/layout'

export async function loader({ context }: Route.LoaderArgs) {
  const person = mustBeSignedIn(context.get(actorContext))
  const { firstName, lastName } = person
  const system = context.get(systemContext)
  const [unreadAlerts, office] = await Promise.all([
    countUnreadAlerts(system, person),
    officeToSwitchFrom(system, person),
  ])
  return { firstName, lastName, initials: initials(person), unreadAlerts, office }
}

export default function DashboardLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Shell person={loaderData}>
      <Outlet />
    </Shell>
  )
}
