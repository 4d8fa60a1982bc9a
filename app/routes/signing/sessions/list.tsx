import '@mantine/core/styles/Stack.css'
import { Stack } from '@mantine/core'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/document-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { WHO_SIGNS } from '#app/messages/labels.ts'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import { SigningSessionBadge } from '#app/ui/document/signing-session-badge.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import { listDocuments } from '#server/features/documents/list-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listMyTurns, MOST_TURNS } from '#server/features/signatures/list-my-turns.ts'
import {
  type ListedSession,
  ListSigningSessions,
  listSigningSessions,
} from '#server/features/signing-sessions/list-signing-sessions.ts'
import { signingSessionStates } from '#server/words/signing.ts'
import type { Route } from './+types/list'
import css from './list.module.css'

const PATH = '/dashboard/signing'
const MAX_TURNS = 100

const { state, behind } = ListSigningSessions.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({
  show: z.enum(['turn', 'mine', 'all']).catch('turn'),
  state: state.catch(undefined),
  behind: behind.catch(undefined),
})

export const handle = { hydrate: true, label: 'Firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { roles } = mustBeSignedIn(actor)
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { show, state, behind } = Query.parse(Object.fromEntries(url.searchParams))
  const may = {
    canSign: isAllowed(roles, 'document.sign'),
    canUpload: isAllowed(roles, 'document.upload'),
    canManage: isAllowed(roles, 'signing-sessions.manage'),
  }
  if (show === 'turn') return { show, ...may, ...(await turnOf()) }
  const whose = show === 'mine' ? 'mine' : 'all'
  const query = { whose, state, behind } as const
  const { sessions, next } = await orErrorPage(listSigningSessions(system, actor, query))
  const rows = sessions.map((one) => sessionRow(one, timeZone))
  return { show, ...may, state, rows, next, isFirst: !behind }

  async function turnOf() {
    const turns = await orErrorPage(listMyTurns(system, actor, { limit: MAX_TURNS }))
    const ready = await orErrorPage(listMyTurns(system, actor, { turn: 'now', limit: 0 }))
    const rowsIn = async (documentState: 'draft' | 'signed') => {
      const { documents, next } = await orErrorPage(
        listDocuments(system, actor, { state: documentState }),
      )
      return { rows: documents.map((document) => documentRow(document, timeZone)), isMore: !!next }
    }
    return {
      waiting: turns.documents.map(({ session, document, turn }) => ({
        ...documentRow(document, timeZone),
        session: session.id,
        sessionTitle: session.title,
        turn,
        deadline: session.deadline && formatDay(session.deadline, timeZone),
        deadlineAt: session.deadline as number | null,
      })),
      isMore: turns.count > MAX_TURNS,
      ready: ready.count,
      readyCount: countText(ready.count, MOST_TURNS),
      drafts: await rowsIn('draft'),
      signed: await rowsIn('signed'),
    }
  }
}

function sessionRow({ session, documents, progress }: ListedSession, timeZone: string) {
  return {
    id: session.id,
    title: session.title,
    state: session.state,
    documents,
    ...progress,
    deadline: session.deadline && formatDay(session.deadline, timeZone),
    deadlineAt: session.deadline as number | null,
    created: formatDay(session.createdAt, timeZone),
    createdAt: session.createdAt as number,
  }
}

export default function SigningList({ loaderData }: Route.ComponentProps) {
  const { show, canSign, canManage } = loaderData
  const chips = [
    { to: PATH, name: 'Mi turno', isActive: show === 'turn' },
    { to: address(PATH, { show: 'mine' }), name: 'Creadas por mí', isActive: show === 'mine' },
    { to: address(PATH, { show: 'all' }), name: 'Todas las sesiones', isActive: show === 'all' },
  ]
  return (
    <>
      <PageHead
        title="Firmar"
        lead={canSign ? undefined : `${WHO_SIGNS} Usted firma donde una sesión le nombra.`}
        action={
          canManage && (
            <div className={css.actions}>
              <PageLink to={`${PATH}/parties`}>Catálogo de partes</PageLink>
              <ButtonLink to={`${PATH}/new`} leftSection={<Icon name="people" />}>
                Nueva sesión de firma
              </ButtonLink>
            </div>
          )
        }
      />
      <div className={css.chips}>
        <Chips label="Sesiones de firma" chips={chips} />
      </div>
      {loaderData.show === 'turn' ? <MyTurn {...loaderData} /> : <Sessions {...loaderData} />}
    </>
  )
}

type Loaded = Route.ComponentProps['loaderData']

function MyTurn(props: Extract<Loaded, { show: 'turn' }>) {
  const { waiting, isMore, ready, readyCount, drafts, signed, canSign, canUpload } = props
  return (
    <Stack gap="xl">
      <Section
        title="Esperan su firma"
        aside={
          ready > 1 && (
            <ButtonLink to={`${PATH}/batch`} size="sm" leftSection={<Icon name="sign" />}>
              {`Firmar ${readyCount} documentos`}
            </ButtonLink>
          )
        }
      >
        {waiting.length === 0 && <EmptyState>Ninguna sesión espera su firma.</EmptyState>}
        {waiting.length > 0 && <WaitingTable rows={waiting} />}
        {isMore && (
          <p className={css.paging}>
            {`Se muestran los ${waiting.length} más antiguos; los demás aparecen al firmar estos.`}
          </p>
        )}
      </Section>
      <Section
        title="Borradores sin sesión"
        aside={
          drafts.isMore && <PageLink to="/dashboard/documents?state=draft">Ver todos</PageLink>
        }
      >
        {drafts.rows.length > 0 ? (
          <DocumentTable caption="Documentos por firmar" rows={drafts.rows} canSign={canSign} />
        ) : (
          <EmptyState
            next={canUpload && <PageLink to="/dashboard/documents/new">Subir documento</PageLink>}
          >
            Ningún borrador espera firma.
          </EmptyState>
        )}
      </Section>
      {signed.rows.length > 0 && (
        <Section
          title="Firmados"
          aside={
            signed.isMore && <PageLink to="/dashboard/documents?state=signed">Ver todos</PageLink>
          }
        >
          <DocumentTable caption="Documentos firmados" rows={signed.rows} />
        </Section>
      )}
    </Stack>
  )
}

const WAITING_COLUMNS = [
  { name: 'Turno' },
  { name: 'Documento' },
  { name: 'Sesión' },
  { name: 'Fecha límite', isNumber: true },
  { name: 'Acción', isNumber: true },
]

function WaitingTable({ rows }: { rows: Extract<Loaded, { show: 'turn' }>['waiting'] }) {
  return (
    <Table caption="Documentos que esperan su firma" columns={WAITING_COLUMNS}>
      {rows.map((row) => (
        <Row key={`${row.session} ${row.id}`}>
          <Cell isWhole>{row.turn === 'now' ? 'Su turno' : 'Después de otros'}</Cell>
          <Cell isTitle>
            <PageLink to={`/dashboard/documents/${row.id}`}>{row.title}</PageLink>
          </Cell>
          <Cell>
            <PageLink to={`${PATH}/${row.session}`}>{row.sessionTitle}</PageLink>
          </Cell>
          <Cell isNumber isWhole label="Fecha límite">
            {row.deadlineAt === null ? (
              'Sin fecha'
            ) : (
              <Time at={row.deadlineAt}>{`${row.deadline}`}</Time>
            )}
          </Cell>
          <Cell isNumber>
            {row.turn === 'now' && (
              <PageLink
                to={`/dashboard/documents/${row.id}/sign`}
                aria-label={`Firmar ${row.title}`}
              >
                Firmar
              </PageLink>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

const SESSION_COLUMNS = [
  { name: 'Estado' },
  { name: 'Sesión' },
  { name: 'Documentos', isNumber: true },
  { name: 'Firmas', isNumber: true },
  { name: 'Fecha límite', isNumber: true },
  { name: 'Creada', isNumber: true },
]

function Sessions(props: Exclude<Loaded, { show: 'turn' }>) {
  const { show, state, rows, next, isFirst, canManage } = props
  const at = (query: Record<string, string | undefined>) => address(PATH, { show, ...query })
  const chips = [
    { to: at({}), name: 'Todas', isActive: !state },
    ...Object.entries(signingSessionStates).map(([key, name]) => ({
      to: at({ state: key }),
      name,
      isActive: state === key,
    })),
  ]
  return (
    <Stack gap="sm">
      <Chips label="Estado" chips={chips} />
      {rows.length === 0 && (
        <EmptyState
          next={canManage && <PageLink to={`${PATH}/new`}>Nueva sesión de firma</PageLink>}
        >
          No hay sesiones de firma aquí.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table caption="Sesiones de firma" columns={SESSION_COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell>
                <SigningSessionBadge state={row.state} />
              </Cell>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.title}</PageLink>
              </Cell>
              <Cell isNumber label="Documentos">
                {row.documents}
              </Cell>
              <Cell isNumber isWhole label="Firmas">
                {`${row.made} de ${row.wanted}`}
              </Cell>
              <Cell isNumber isWhole label="Fecha límite">
                {row.deadlineAt === null ? (
                  'Sin fecha'
                ) : (
                  <Time at={row.deadlineAt}>{`${row.deadline}`}</Time>
                )}
              </Cell>
              <Cell isNumber isWhole label="Creada">
                <Time at={row.createdAt}>{row.created}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <p className={css.paging}>
        {!isFirst && <PageLink to={at({ state })}>Al principio</PageLink>}
        {next && <PageLink to={at({ state, behind: next })}>Más antiguas</PageLink>}
      </p>
    </Stack>
  )
}
