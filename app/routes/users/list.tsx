import { actorContext, systemContext } from '#app/http/context.ts'
import { answering } from '#app/http/problems.ts'
import { capacities, roles, userStates } from '#app/messages.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PageHead } from '#app/ui/page-head.tsx'
import { Cell, Table } from '#app/ui/table.tsx'
import type { Tone } from '#app/ui/tone.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User, UserState } from '#server/domain/identity/user.ts'
import { type Colleague, listUsers } from '#server/features/users/list-users.ts'
import type { Route } from './+types/list'

export const handle = { hydrate: true, label: 'Usuarios' }

export const meta: Route.MetaFunction = () => [{ title: 'Usuarios · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const found = await answering(listUsers(context.get(systemContext), context.get(actorContext)))
  return found.reach === 'whole'
    ? { reach: found.reach, rows: found.users.map(userRow) }
    : { reach: found.reach, rows: found.users.map(colleagueRow) }
}

function colleagueRow(user: Colleague) {
  return {
    id: user.id,
    name: fullName(user),
    roles: user.roles.map((role) => roles[role]).join(', '),
  }
}

function userRow(user: User) {
  return {
    ...colleagueRow(user),
    email: user.email,
    rfc: user.rfc,
    capacity: user.capacity && capacities[user.capacity],
    state: user.state,
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

const NAME_COLUMNS = [{ name: 'Nombre' }, { name: 'Roles' }]

export default function UserList({ loaderData }: Route.ComponentProps) {
  const isWhole = loaderData.reach === 'whole'
  return (
    <>
      <PageHead
        title="Usuarios"
        lead={
          isWhole
            ? 'Quienes trabajan en la notaría y lo que pueden hacer.'
            : 'Quienes trabajan en la notaría. Sus demás datos los ven notarios, administradores y auditores.'
        }
      />
      {isWhole ? <UserTable rows={loaderData.rows} /> : <NameTable rows={loaderData.rows} />}
    </>
  )
}

function UserTable({ rows }: { rows: readonly ReturnType<typeof userRow>[] }) {
  return (
    <Table caption="Usuarios" columns={COLUMNS}>
      {rows.map((row) => (
        <tr key={row.id}>
          <Cell>
            <Badge tone={TONES[row.state]}>{userStates[row.state]}</Badge>
          </Cell>
          <Cell isTitle>{row.name}</Cell>
          <Cell isWhole>{row.email}</Cell>
          <Cell label="RFC" isWhole>
            {row.rfc}
          </Cell>
          <Cell>{row.roles}</Cell>
          <Cell label="Calidad">{row.capacity ?? 'No aplica'}</Cell>
        </tr>
      ))}
    </Table>
  )
}

function NameTable({ rows }: { rows: readonly ReturnType<typeof colleagueRow>[] }) {
  return (
    <Table caption="Usuarios" columns={NAME_COLUMNS}>
      {rows.map((row) => (
        <tr key={row.id}>
          <Cell isTitle>{row.name}</Cell>
          <Cell>{row.roles}</Cell>
        </tr>
      ))}
    </Table>
  )
}
