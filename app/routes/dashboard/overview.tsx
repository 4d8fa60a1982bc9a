import { alertRow } from '#app/http/alert-row.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { deadlineRow } from '#app/http/documents/deadline-row.ts'
import { documentRow } from '#app/http/documents/document-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { CertificateBadge } from '#app/ui/document/certificate-badge.tsx'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { AlertList } from '#app/ui/lists/alert-list.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Section, Sections } from '#app/ui/lists/section.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { listEndingCertificates } from '#server/features/certificates/list-ending-certificates.ts'
import { listDocuments } from '#server/features/documents/list/list-documents.ts'
import { listNearDeadlines } from '#server/features/obligations/list-deadlines.ts'
import { readFirstSteps } from '#server/features/offices/read-first-steps.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { readActivity } from '#server/features/reports/read-activity.ts'
import { listMyTurns, MOST_TURNS } from '#server/features/signatures/list-my-turns.ts'
import { listDueSessions } from '#server/features/signing-sessions/list-due-sessions.ts'
import type { Route } from './+types/overview'
import { DueObligations } from './due-obligations.tsx'
import { DueSessions } from './due-sessions.tsx'
import { Figures } from './figures.tsx'
import { FirstStepsSheet } from './first-steps.tsx'
import { firstStepsView } from './first-steps-view.ts'
import css from './overview.module.css'
import { dueRow, figureView, turnRow } from './overview-rows.ts'
import { TurnTable } from './turn-table.tsx'

const MAX_ROWS = 7
const MAX_ALERTS = 3
const MAX_OBLIGATIONS = 5

export const handle = { hydrate: true }

export const meta: Route.MetaFunction = () => [{ title: 'Dashboard · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { roles } = mustBeSignedIn(actor)
  const { timeZone, name } = await orErrorPage(readOffice(system, actor))
  const latest = await orErrorPage(listDocuments(system, actor, {}, MAX_ROWS))
  const drafts = await orErrorPage(listDocuments(system, actor, { state: 'draft' }, MAX_ROWS))
  const turns = await orErrorPage(listMyTurns(system, actor, { turn: 'now', limit: MAX_ROWS }))
  const due = await orErrorPage(listDueSessions(system, actor, { limit: MAX_ROWS }))
  const duties = await orErrorPage(listNearDeadlines(system, actor, { limit: MAX_OBLIGATIONS }))
  const ending = await orErrorPage(listEndingCertificates(system, actor, { limit: MAX_ROWS }))
  const alerts = await orErrorPage(
    listAlerts(system, actor, ListAlerts.parse({ limit: MAX_ALERTS })),
  )
  const rows = (documents: typeof latest.documents) =>
    documents.map((document) => documentRow(document, timeZone))
  return {
    officeName: name,
    figures: (await orErrorPage(readActivity(system, actor))).map((activity) =>
      figureView(activity, roles),
    ),
    firstSteps: isAllowed(roles, 'users.read-access')
      ? firstStepsView(await orErrorPage(readFirstSteps(system, actor)))
      : undefined,
    turns: turns.documents.map((turn) => turnRow(turn, timeZone)),
    hasMoreTurns: turns.count > MAX_ROWS,
    turnCount: countText(turns.count, MOST_TURNS),
    due: due.map((session) => dueRow(session, timeZone)),
    obligations: duties.deadlines.map((one) => deadlineRow(one, duties.today)),
    drafts: rows(drafts.documents),
    latest: rows(latest.documents),
    ending: ending.map(({ notAfter, ...row }) => ({ ...row, ends: formatDay(notAfter, timeZone) })),
    alerts: alerts.alerts.map((alert) => alertRow(alert, timeZone)),
    canSign: isAllowed(roles, 'document.sign'),
    canUpload: isAllowed(roles, 'document.upload'),
  }
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { officeName, figures, alerts, latest, ending, canSign, canUpload } = loaderData
  const { turns, turnCount, hasMoreTurns, due, drafts, firstSteps } = loaderData
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
      <Sections>
        <Section
          title="Lo que espera por usted"
          aside={hasMoreTurns && <PageLink to="/dashboard/signing">Ver la lista</PageLink>}
        >
          {hasMoreTurns ? <ManyTurns count={turnCount} /> : <FewTurns rows={turns} />}
        </Section>
        <div className={css.beside}>
          {firstSteps && <FirstStepsSheet steps={firstSteps} />}
          {due.length > 0 && <DueSessions rows={due} />}
          <DueObligations rows={loaderData.obligations} />
        </div>
        {alerts.length > 0 && (
          <Section title="Alertas" aside={<PageLink to="/dashboard/alerts">Ver todas</PageLink>}>
            <AlertList rows={alerts} />
          </Section>
        )}
        <Section
          title="En los últimos 30 días"
          aside={<PageLink to="/dashboard/reports">Reportes</PageLink>}
        >
          <Figures figures={figures} />
        </Section>
        {ending.length > 0 && <EndingCertificates rows={ending} />}
        <div className={css.beside}>
          {drafts.length > 0 && (
            <Section
              title="Borradores sin firmar"
              aside={
                <PageLink to="/dashboard/documents?state=draft">Ver todos los borradores</PageLink>
              }
            >
              <DocumentTable caption="Borradores sin firmar" rows={drafts} canSign={canSign} />
            </Section>
          )}
          {latest.length > 0 && (
            <Section
              title="Últimos documentos"
              aside={<PageLink to="/dashboard/documents">Ver todos</PageLink>}
            >
              <DocumentTable caption="Últimos documentos" rows={latest} />
            </Section>
          )}
        </div>
      </Sections>
    </>
  )
}

/** One row for all of them. The link opens the batch, where nothing is signed before its signer says so. */
function ManyTurns({ count }: { count: string }) {
  return (
    <div className={css.many}>
      <strong>{count} documentos esperan su firma</strong>
      <ButtonLink to="/dashboard/signing/batch" leftSection={<Icon name="sign" />}>
        Revisar y firmar
      </ButtonLink>
    </div>
  )
}

function FewTurns({ rows }: { rows: Route.ComponentProps['loaderData']['turns'] }) {
  return rows.length > 0 ? (
    <TurnTable rows={rows} />
  ) : (
    <EmptyState>Ningún documento espera su firma.</EmptyState>
  )
}

function EndingCertificates({ rows }: { rows: Route.ComponentProps['loaderData']['ending'] }) {
  return (
    <Sheet
      title="Certificados por vencer"
      aside={<PageLink to="/dashboard/certificates">Ver todos</PageLink>}
    >
      <ul className={css.ending}>
        {rows.map(({ id, name, standing, ends }) => (
          <li key={id}>
            <CertificateBadge standing={standing} />
            <PageLink to={`/dashboard/certificates/${id}`}>{name}</PageLink>
            <span className={css.day}>{ends}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
