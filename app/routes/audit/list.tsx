import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Badge } from '#app/ui/feedback/badge.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import { formatInstant, formatMinute, zoneName } from '#server/domain/time.ts'
import { type EventPage, listRecentEvents } from '#server/features/audit/list-recent-events.ts'
import { type LogCheckpoint, readCheckpoint } from '#server/features/audit/read-checkpoint.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import { auditActions } from '#server/words/audit-actions.ts'
import type { Route } from './+types/list'
import { CheckpointSheet, type ShownCheckpoint } from './checkpoint-sheet.tsx'
import { EventFilter } from './event-filter.tsx'
import css from './list.module.css'
import { LogQuery } from './log-query.ts'
import { timesOf } from './times-of.ts'

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
  const names = new Map(people?.users.map((user) => [user.id as string, fullName(user)]))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const checkpoint =
    page.reach === 'office' ? await orErrorPage(readCheckpoint(system, actor)) : undefined
  return {
    rows: page.events.map((event) => ({
      seq: event.seq,
      action: event.action,
      result: event.result,
      times: timesOf(event),
      who: nameOf(event.actor),
      account: accountOf(event, names),
      about: addressOf(event.subject),
      ip: event.ip,
      device: event.device,
      at: event.at,
      when: formatMinute(event.at, timeZone),
    })),
    zone: zoneName(timeZone),
    reach: page.reach,
    next: page.next,
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

/** Returns the page of the event's subject, if every reader of the log may open it. */
function addressOf(subject: AuditEvent['subject']): string | undefined {
  if (subject.kind === 'document') return `/dashboard/documents/${subject.id}`
  if (subject.kind === 'signing-session') return `/dashboard/signing/${subject.id}`
  return undefined
}

function nameOf(actor: AuditEvent['actor']): string {
  return actor.kind === 'anonymous' ? 'Sin sesión' : shownText(actor.name)
}

/** The person at whose account a stranger tried to sign in. */
function accountOf(
  { actor, subject }: AuditEvent,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const isOfStranger = actor.kind === 'anonymous' && subject.kind === 'user'
  return isOfStranger ? names.get(subject.id) : undefined
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

const columnsIn = (zone: string) => [
  { name: 'Resultado' },
  { name: 'Evento' },
  { name: 'Quién' },
  { name: 'Desde' },
  { name: `Cuándo (${zone})`, isNumber: true },
  { name: 'Número', isNumber: true },
]

export default function AuditList({ loaderData }: Route.ComponentProps) {
  const { rows, zone, reach, next, subject, filter, people, isLaterPage, checkpoint } = loaderData
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <PageHead
        title="Auditoría"
        lead={introductionOf(reach, subject)}
        action={subject && <PageLink to={PATH}>Ver todos los eventos</PageLink>}
      />
      <EventFilter filter={filter} subject={subject} people={people} />
      {reach === 'office' && rows.length > 0 && (
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
      {rows.length > 0 ? (
        <Table caption="Eventos de la bitácora" columns={columnsIn(zone)}>
          {rows.map((row) => (
            <Row key={row.seq}>
              <Cell>
                {row.result === 'success' ? (
                  <Badge tone="good">Correcto</Badge>
                ) : (
                  <Badge tone="bad">Rechazado</Badge>
                )}
              </Cell>
              <Cell isTitle>
                {row.about ? (
                  <PageLink to={row.about}>{auditActions[row.action]}</PageLink>
                ) : (
                  auditActions[row.action]
                )}
                {row.times && ` · ${row.times.toLocaleString('es-MX')} veces`}
              </Cell>
              <Cell>
                {row.who}
                {row.account && (
                  <>
                    <br />
                    <span className={css.quiet}>Cuenta de {row.account}</span>
                  </>
                )}
              </Cell>
              <Cell>{[row.device, row.ip].filter(Boolean).join(', ') || '—'}</Cell>
              <Cell label={`Cuándo (${zone})`} isNumber isWhole>
                <Time at={row.at}>{row.when}</Time>
              </Cell>
              <Cell label="Número" isNumber>
                {row.seq}
              </Cell>
            </Row>
          ))}
        </Table>
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
        newer={isLaterPage ? address(PATH, { subject, ...filter }) : undefined}
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
