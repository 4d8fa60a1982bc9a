import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { fullName } from '#server/domain/identity/person-name.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatInstant, zoneName } from '#server/domain/time.ts'
import { type EventPage, listRecentEvents } from '#server/features/audit/list-recent-events.ts'
import { type LogCheckpoint, readCheckpoint } from '#server/features/audit/read-checkpoint.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import type { Route } from './+types/list'
import { CheckpointSheet, type ShownCheckpoint } from './checkpoint-sheet.tsx'
import { EventFilter } from './event-filter.tsx'
import { type EventRow, eventRows } from './event-rows.ts'
import { EventTable } from './event-table.tsx'
import css from './list.module.css'
import { LogQuery } from './log-query.ts'
import { NewEventsLine } from './new-events-line.tsx'
import { useNewEvents } from './use-new-events.ts'

const PATH = '/dashboard/audit'

const FILES = { 'bitacora.csv': 'CSV', 'bitacora.jsonl': 'JSON Lines' }

export const handle = { hydrate: true, label: 'Auditoría' }

export const meta: Route.MetaFunction = () => [{ title: 'Auditoría · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { before, subject, ...filter } = LogQuery.parse(Object.fromEntries(url.searchParams))
  const query = { ...filter, before, subjectId: subject }
  const page = await orErrorPage(listRecentEvents(system, actor, query))
  const people = page.reach === 'office' ? await orErrorPage(listUsers(system, actor)) : undefined
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const checkpoint =
    page.reach === 'office' ? await orErrorPage(readCheckpoint(system, actor)) : undefined
  return {
    rows: eventRows(page.events, mustBeSignedIn(actor), timeZone),
    zone: zoneName(timeZone),
    reach: page.reach,
    next: page.next,
    end: page.end,
    isPartial: page.isPartial,
    subject,
    filter,
    people: people?.users.map((user) => ({ id: user.id, name: fullName(user) })),
    isLaterPage: before !== undefined,
    checkpoint: checkpoint && shownCheckpoint(checkpoint, timeZone),
  }
}

function shownCheckpoint({ newest, verifierKey }: LogCheckpoint, zone: string): ShownCheckpoint {
  const shown = newest && {
    size: newest.size.toLocaleString('es-MX'),
    root: newest.root.slice(0, 16),
    at: newest.at,
    when: formatInstant(newest.at, zone),
  }
  return { newest: shown, verifierKey }
}

function introductionOf(reach: EventPage['reach'], subject: string | undefined): string {
  if (reach === 'own' && subject) return 'Lo que usted hizo con un solo documento o sesión.'
  if (reach === 'own') return 'Lo que usted ha hecho en el sistema, lo más reciente primero.'
  if (subject) return 'Los eventos de un solo documento, usuario o sesión.'
  return 'Lo que ha ocurrido en la notaría, lo más reciente primero.'
}

/** @param goesOn the page compared a part of the events, and there are older ones */
function emptyText(isFiltered: boolean, goesOn: boolean): string {
  if (goesOn)
    return 'Ninguno de los eventos revisados coincide con los filtros; siga con los anteriores.'
  return isFiltered ? 'Ningún evento coincide con los filtros.' : 'No hay eventos que mostrar.'
}

export default function AuditList({ loaderData }: Route.ComponentProps) {
  const { rows, zone, reach, next, subject, filter, people, isLaterPage, checkpoint } = loaderData
  const { end, isPartial } = loaderData
  const own = address(PATH, { subject, ...filter })
  // A search costs too much to be repeated for each event of the office.
  const hasTail = !isLaterPage && filter.text === undefined
  const tail = useNewEvents(
    hasTail ? address(`${PATH}/nuevos`, { subject, ...filter }) : undefined,
    end,
  )
  const shown = withoutTwice([...tail.rows, ...rows])
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <PageHead
        title="Auditoría"
        lead={introductionOf(reach, subject)}
        action={subject && <PageLink to={PATH}>Ver todos los eventos</PageLink>}
      />
      <EventFilter filter={filter} subject={subject} people={people} />
      {reach === 'office' && shown.length > 0 && !isPartial && (
        <p className={css.export}>
          Exportar lo que muestran los filtros:{' '}
          {Object.entries(FILES).map(([file, label]) => (
            <PageLink
              key={file}
              to={address(`${PATH}/${file}`, { subject, ...filter })}
              reloadDocument
            >
              {label}
            </PageLink>
          ))}
        </p>
      )}
      {isPartial && (
        <Notice tone="wait">
          La búsqueda coincide con muchos documentos o personas: no se muestran los eventos de
          todos, ni se exportan. Afínela con otra palabra o un número.
        </Notice>
      )}
      {hasTail && <NewEventsLine to={own} tail={tail} />}
      {shown.length > 0 ? (
        <EventTable rows={shown} zone={zone} />
      ) : (
        <EmptyState
          next={
            isFiltered && <PageLink to={address(PATH, { subject })}>Quitar los filtros</PageLink>
          }
        >
          {emptyText(isFiltered, next !== undefined)}
        </EmptyState>
      )}
      <Paging
        of="eventos"
        newer={isLaterPage ? own : undefined}
        older={
          next === undefined
            ? undefined
            : address(PATH, { subject, ...filter, before: String(next) })
        }
      />
      {checkpoint && <CheckpointSheet {...checkpoint} />}
    </>
  )
}

/** A new event may be on a page that was loaded again meanwhile. */
const withoutTwice = (rows: readonly EventRow[]): EventRow[] => [
  ...new Map(rows.map((row) => [row.position, row])).values(),
]
