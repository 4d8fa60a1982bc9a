import { actorContext, systemContext } from '#app/http/context.ts'
import { answering } from '#app/http/problems.ts'
import { capacities, roles, userStates } from '#app/messages.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PageHead } from '#app/ui/page-head.tsx'
import { Cell, Table } from '#app/ui/table.tsx'
import type { Tone } from '#app/ui/tone.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { UserState } from '#server/domain/identity/user.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import type { Route } from './+types/list'

export const handle = { hydrate: true, label: 'Usuarios' }

export const meta: Route.MetaFunction = () => [{ title: 'Usuarios · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const users = await answering(listUsers(context.get(systemContext), context.get(actorContext)))
  return {
    rows: users.map((user) => ({
      id: user.id,
      name: fullName(user),
      email: user.email,
      rfc: user.rfc,
      roles: user.roles.map((role) => roles[role]).join(', '),
      capacity: user.capacity && capacities[user.capacity],
      state: user.state,
    })),
  }
}

const TONES: Record<UserState, Tone> = { active: 'good', invited: 'wait', suspended: 'bad' }

const COLUMNS = [
  { name: 'Estado' },
  { name: 'Nombre' },
  { name: 'Correo electrónico' },
  { name: 'RFC' },
  { name: 'Roles' },
  { name: 'Calidad' },
]

export default function UserList({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Usuarios" lead="Quienes trabajan en la notaría y lo que pueden hacer." />
      <Table caption="Usuarios" columns={COLUMNS}>
        {loaderData.rows.map((row) => (
          <tr key={row.id}>
            <Cell>
              <Badge tone={TONES[row.state]}>{userStates[row.state]}</Badge>
            </Cell>
            <Cell isTitle>{row.name}</Cell>
            <Cell>{row.email}</Cell>
            <Cell label="RFC" isWhole>
              {row.rfc}
            </Cell>
            <Cell>{row.roles}</Cell>
            <Cell label="Calidad">{row.capacity ?? 'No aplica'}</Cell>
          </tr>
        ))}
      </Table>
    </>
  )
}
