import { alertRow } from '#app/http/alert-row.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/document-row.ts'
import { answering } from '#app/http/problems.ts'
import { CertificateBadge } from '#app/ui/document/certificate-badge.tsx'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { AlertList } from '#app/ui/lists/alert-list.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { listCertificates } from '#server/features/certificates/list-certificates.ts'
import { listDocuments } from '#server/features/documents/list-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listMyTurns } from '#server/features/signatures/list-my-turns.ts'
import { listDueSessions } from '#server/features/signing-sessions/list-due-sessions.ts'
import { documentStatesOfMany } from '#server/words/documents.ts'
import type { Route } from './+types/overview'
import { DueSessions } from './due-sessions.tsx'
import css from './overview.module.css'
import { dueRow, turnRow } from './overview-rows.ts'
import { TurnTable } from './turn-table.tsx'

const MOST_ROWS = 7
const MOST_ALERTS = 3

export const handle = { hydrate: true }

export const meta: Route.MetaFunction = () => [{ title: 'Dashboard · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { roles } = mustBeSignedIn(actor)
  const { timeZone, name } = await answering(readOffice(system, actor))
  const latest = await answering(listDocuments(system, actor, {}))
  const drafts = await answering(listDocuments(system, actor, { state: 'draft' }))
  const turns = (await answering(listMyTurns(system, actor))).filter(({ turn }) => turn === 'now')
  const due = await answering(listDueSessions(system, actor, { limit: MOST_ROWS }))
  const certificates = await answering(listCertificates(system, actor))
  const alerts = await answering(
    listAlerts(system, actor, ListAlerts.parse({ limit: MOST_ALERTS })),
  )
  const rows = (documents: typeof latest.documents) =>
    documents.slice(0, MOST_ROWS).map((document) => documentRow(document, timeZone))
  return {
    officeName: name,
    counts: latest.counts,
    turns: turns.slice(0, MOST_ROWS).map((turn) => turnRow(turn, timeZone)),
    turnCount: turns.length,
    due: due.map((session) => dueRow(session, timeZone)),
    drafts: rows(drafts.documents),
    latest: rows(latest.documents),
    ending: certificates
      .filter(({ standing }) => standing === 'expiring' || standing === 'expired')
      .slice(0, MOST_ROWS)
      .map(({ id, name, standing, notAfter }) => ({
        id,
        name,
        standing,
        ends: formatDay(notAfter, timeZone),
      })),
    alerts: alerts.alerts.map((alert) => alertRow(alert, timeZone)),
    canSign: isAllowed(roles, 'document.sign'),
    canUpload: isAllowed(roles, 'document.upload'),
  }
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { officeName, counts, alerts, latest, ending, canSign, canUpload } = loaderData
  const { turns, turnCount, due, drafts } = loaderData
  return (
    <>
      <PageHead
        title="Dashboard"
        lead={officeName}
        action={
          canUpload && (
            <ButtonLink to="/dashboard/documents/new" leftSection={<Icon name="upload" />}>
              Subir documento
            </ButtonLink>
          )
        }
      />
      <div className={css.sections}>
        <section className={css.section}>
          <div className={css.head}>
            <h2>Lo que espera por usted</h2>
            {turnCount > turns.length && (
              <PageLink to="/dashboard/signing">{`Ver los ${turnCount}`}</PageLink>
            )}
          </div>
          {turns.length > 0 ? (
            <TurnTable rows={turns} />
          ) : (
            <EmptyState>Ningún documento espera su firma.</EmptyState>
          )}
        </section>
        {due.length > 0 && <DueSessions rows={due} />}
        {alerts.length > 0 && (
          <section className={css.section}>
            <div className={css.head}>
              <h2>Alertas</h2>
              <PageLink to="/dashboard/alerts">Ver todas</PageLink>
            </div>
            <AlertList rows={alerts} />
          </section>
        )}
        <ul className={css.figures}>
          {Object.entries(documentStatesOfMany).map(([state, name]) => (
            <li key={state}>
              <PageLink to={`/dashboard/documents?state=${state}`}>
                <strong>{counts[state as keyof typeof counts] ?? 0}</strong>
                {name}
              </PageLink>
            </li>
          ))}
        </ul>
        {ending.length > 0 && (
          <Sheet
            title="Certificados por vencer"
            aside={<PageLink to="/dashboard/certificates">Ver todos</PageLink>}
          >
            <ul className={css.ending}>
              {ending.map(({ id, name, standing, ends }) => (
                <li key={id}>
                  <CertificateBadge standing={standing} />
                  <span>{name}</span>
                  <span className={css.day}>{ends}</span>
                </li>
              ))}
            </ul>
          </Sheet>
        )}
        {drafts.length > 0 && (
          <section className={css.section}>
            <div className={css.head}>
              <h2>Borradores sin firmar</h2>
              <PageLink to="/dashboard/documents?state=draft">Ver todos los borradores</PageLink>
            </div>
            <DocumentTable caption="Borradores sin firmar" rows={drafts} canSign={canSign} />
          </section>
        )}
        {latest.length > 0 && (
          <section className={css.section}>
            <div className={css.head}>
              <h2>Últimos documentos</h2>
              <PageLink to="/dashboard/documents">Ver todos</PageLink>
            </div>
            <DocumentTable caption="Últimos documentos" rows={latest} />
          </section>
        )}
      </div>
    </>
  )
}
