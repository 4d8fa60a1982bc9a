import '@mantine/core/styles/Grid.css'
import '@mantine/core/styles/Stack.css'
import { Card, Grid, Stack, Text } from '@mantine/core'
import { alertRow } from '#app/http/alert-row.ts'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/document-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { CertificateBadge } from '#app/ui/document/certificate-badge.tsx'
import { DocumentTable } from '#app/ui/document/document-table.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { AlertList } from '#app/ui/lists/alert-list.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Section } from '#app/ui/lists/section.tsx'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { DocumentState } from '#server/domain/documents/document.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { listEndingCertificates } from '#server/features/certificates/list-ending-certificates.ts'
import { countDocuments } from '#server/features/documents/count-documents.ts'
import { listDocuments } from '#server/features/documents/list-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listMyTurns, MOST_TURNS } from '#server/features/signatures/list-my-turns.ts'
import { listDueSessions } from '#server/features/signing-sessions/list-due-sessions.ts'
import { documentStatesOfMany } from '#server/words/documents.ts'
import type { Route } from './+types/overview'
import { DueSessions } from './due-sessions.tsx'
import css from './overview.module.css'
import { dueRow, turnRow } from './overview-rows.ts'
import { TurnTable } from './turn-table.tsx'

const MAX_ROWS = 7
const MAX_ALERTS = 3

export const handle = { hydrate: true }

export const meta: Route.MetaFunction = () => [{ title: 'Dashboard · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { roles } = mustBeSignedIn(actor)
  const { timeZone, name } = await orErrorPage(readOffice(system, actor))
  const latest = await orErrorPage(listDocuments(system, actor, {}))
  const drafts = await orErrorPage(listDocuments(system, actor, { state: 'draft' }))
  const turns = await orErrorPage(listMyTurns(system, actor, { turn: 'now', limit: MAX_ROWS }))
  const due = await orErrorPage(listDueSessions(system, actor, { limit: MAX_ROWS }))
  const ending = await orErrorPage(listEndingCertificates(system, actor, { limit: MAX_ROWS }))
  const alerts = await orErrorPage(
    listAlerts(system, actor, ListAlerts.parse({ limit: MAX_ALERTS })),
  )
  const rows = (documents: typeof latest.documents) =>
    documents.slice(0, MAX_ROWS).map((document) => documentRow(document, timeZone))
  return {
    officeName: name,
    figures: await orErrorPage(countDocuments(system, actor)),
    turns: turns.documents.map((turn) => turnRow(turn, timeZone)),
    hasMoreTurns: turns.count > MAX_ROWS,
    turnCount: countText(turns.count, MOST_TURNS),
    due: due.map((session) => dueRow(session, timeZone)),
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
  const { turns, turnCount, hasMoreTurns, due, drafts } = loaderData
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
      <Stack gap="xl">
        <Section
          title="Lo que espera por usted"
          aside={
            hasMoreTurns && <PageLink to="/dashboard/signing">{`Ver los ${turnCount}`}</PageLink>
          }
        >
          {turns.length > 0 ? (
            <TurnTable rows={turns} />
          ) : (
            <EmptyState>Ningún documento espera su firma.</EmptyState>
          )}
        </Section>
        {due.length > 0 && <DueSessions rows={due} />}
        {alerts.length > 0 && (
          <Section title="Alertas" aside={<PageLink to="/dashboard/alerts">Ver todas</PageLink>}>
            <AlertList rows={alerts} />
          </Section>
        )}
        <Figures {...figures} />
        {ending.length > 0 && <EndingCertificates rows={ending} />}
        <Grid gap="xl">
          {drafts.length > 0 && (
            <Grid.Col span={HALF}>
              <Section
                title="Borradores sin firmar"
                aside={
                  <PageLink to="/dashboard/documents?state=draft">
                    Ver todos los borradores
                  </PageLink>
                }
              >
                <DocumentTable caption="Borradores sin firmar" rows={drafts} canSign={canSign} />
              </Section>
            </Grid.Col>
          )}
          {latest.length > 0 && (
            <Grid.Col span={drafts.length > 0 ? HALF : 12}>
              <Section
                title="Últimos documentos"
                aside={<PageLink to="/dashboard/documents">Ver todos</PageLink>}
              >
                <DocumentTable caption="Últimos documentos" rows={latest} />
              </Section>
            </Grid.Col>
          )}
        </Grid>
      </Stack>
    </>
  )
}

/** Side by side on wide screens. */
const HALF = { base: 12, xl: 6 }

function Figures({ counts, mostCounted }: Route.ComponentProps['loaderData']['figures']) {
  return (
    <ul className={css.figures}>
      {Object.entries(documentStatesOfMany).map(([state, name]) => (
        <li key={state}>
          <Card
            component={PageLink}
            to={`/dashboard/documents?state=${state}`}
            withBorder
            className={css.figure}
          >
            <Text component="strong" size="xl" fw={600} lh={1.2} c="bright">
              {countText(counts[state as DocumentState] ?? 0, mostCounted)}
            </Text>
            {name}
          </Card>
        </li>
      ))}
    </ul>
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
            <span>{name}</span>
            <span className={css.day}>{ends}</span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
