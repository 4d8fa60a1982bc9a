import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import css from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Email } from '#app/ui/text/email.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { type Colleague, ListUsers, listUsers } from '#server/features/users/list-users.ts'
import { rolesOf, userStates, userStatesOfMany } from '#server/words/people.ts'
import type { Route } from './+types/list'
import { STATE_TONES } from './state-tones.ts'

const PATH = '/dashboard/users'

const { text, state } = ListUsers.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({ text: text.catch(undefined), state: state.catch(undefined) })

export const handle = { hydrate: true, label: 'Usuarios' }

export const meta: Route.MetaFunction = () => [{ title: 'Usuarios · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const found = await orErrorPage(listUsers(system, actor, query))
  const shared = {
    text: query.text ?? '',
    state: query.state,
    canInvite: isAllowed(mustBeSignedIn(actor).roles, 'users.manage'),
  }
  return found.reach === 'whole'
    ? {
        ...shared,
        reach: found.reach,
        rows: found.users.map((user) => userRow(user, found.locked.has(user.id))),
        counts: found.counts,
      }
    : { ...shared, reach: found.reach, rows: found.users.map(colleagueRow) }
}

function colleagueRow(user: Colleague) {
  return {
    id: user.id,
    name: fullName(user),
    roles: rolesOf(user),
  }
}

function userRow(user: User, isLocked: boolean) {
  return {
    ...colleagueRow(user),
    email: user.email,
    rfc: user.rfc,
    state: user.state,
    isLocked,
  }
}

const COLUMNS = [
  { name: 'Estado' },
  { name: 'Nombre' },
  { name: 'Correo electrónico' },
  { name: 'RFC' },
  { name: 'Roles' },
]

const NAME_COLUMNS = [{ name: 'Nombre' }, { name: 'Roles' }]

export default function UserList({ loaderData }: Route.ComponentProps) {
  const isWhole = loaderData.reach === 'whole'
  const { text, state, canInvite } = loaderData
  return (
    <>
      <PageHead
        title="Usuarios"
        lead={
          isWhole
            ? 'Quienes trabajan en la notaría y lo que pueden hacer.'
            : 'Quienes trabajan en la notaría. Sus demás datos los ven notarios, administradores y auditores.'
        }
        action={
          canInvite && (
            <ButtonLink to={`${PATH}/new`} leftSection={<Icon name="people" />}>
              Invitar a una persona
            </ButtonLink>
          )
        }
      />
      <div className={css.toolbar}>
        <SearchForm
          label={isWhole ? 'Buscar por nombre, correo o RFC' : 'Buscar por nombre'}
          text={text}
          kept={{ state }}
        />
        {isWhole && <StateChips text={text} state={state} counts={loaderData.counts} />}
      </div>
      {loaderData.rows.length === 0 && <EmptyState>Nadie coincide con la búsqueda.</EmptyState>}
      {loaderData.rows.length > 0 &&
        (isWhole ? <UserTable rows={loaderData.rows} /> : <NameTable rows={loaderData.rows} />)}
    </>
  )
}

type ChipsProps = { text: string; state: string | undefined; counts: Record<string, number> }

function StateChips({ text, state, counts }: ChipsProps) {
  const states = Object.entries(userStatesOfMany).map(([key, name]) => ({
    to: address(PATH, { text, state: key }),
    name,
    count: counts[key] ?? 0,
    isActive: state === key,
  }))
  const all = { to: address(PATH, { text }), name: 'Todos', isActive: !state }
  return <Chips label="Estado" chips={[all, ...states]} />
}

function UserTable({ rows }: { rows: readonly ReturnType<typeof userRow>[] }) {
  return (
    <Table caption="Usuarios" columns={COLUMNS}>
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell>
            <Badge tone={STATE_TONES[row.state]}>{userStates[row.state]}</Badge>
            {row.isLocked && (
              <>
                {' '}
                <Badge tone="wait">Bloqueada</Badge>
              </>
            )}
          </Cell>
          <Cell isTitle>
            <PageLink to={`${PATH}/${row.id}`}>{row.name}</PageLink>
          </Cell>
          <Cell>
            <Email address={row.email} />
          </Cell>
          <Cell label="RFC" isWhole>
            {row.rfc}
          </Cell>
          <Cell>{row.roles}</Cell>
        </Row>
      ))}
    </Table>
  )
}

function NameTable({ rows }: { rows: readonly ReturnType<typeof colleagueRow>[] }) {
  return (
    <Table caption="Usuarios" columns={NAME_COLUMNS}>
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell isTitle>{row.name}</Cell>
          <Cell>{row.roles}</Cell>
        </Row>
      ))}
    </Table>
  )
}
