import { actorContext, systemContext } from '#app/http/context.ts'
import { zoneLabel } from '#app/http/office-form.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Sheets } from '#app/ui/frame/sheets.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { conflictsOf, OfficePolicies } from '#server/domain/offices/office-policies.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { readBackupState } from '#server/features/backups/read-backup-state.ts'
import { isSendingMail } from '#server/features/mail/read-mail-server.ts'
import { listAuthorities } from '#server/features/offices/list-authorities.ts'
import { listProviders } from '#server/features/offices/list-providers.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import {
  conflictText,
  constanciaPolicies,
  publicDownloads,
  publicNames,
  timestampPolicies,
} from '#server/words/policies.ts'
import { reportSchedules } from '#server/words/reports.ts'
import { presencePolicies, reminderPolicies, serverSigningPolicies } from '#server/words/signing.ts'
import type { Route } from './+types/office-page'
import { BackupFacts } from './backup-facts.tsx'
import { backupView } from './backup-view.ts'
import { secondFactorWords } from './second-factor-choices.ts'
import { authoritySummary, providerSummary } from './trust/trust-summary.ts'

export const handle = { hydrate: true, label: 'Configuración' }

export const meta: Route.MetaFunction = () => [{ title: 'Configuración · Rúbrica' }]

export async function loader({ context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const office = await orErrorPage(readOffice(system, actor))
  const policies = OfficePolicies.parse(office)
  const authorities = await orErrorPage(listAuthorities(system, actor))
  const providers = await orErrorPage(listProviders(system, actor))
  const backups = await orErrorPage(readBackupState(system, actor))
  return {
    office: {
      name: office.name,
      number: office.number,
      entity: office.entity,
      municipality: office.municipality,
      address: office.address,
      timeZone: zoneLabel(office.timeZone),
      uploadMegabytes: Math.floor(office.uploadLimit / 1_048_576),
      idleMinutes: Math.round(office.sessionIdle / 60_000),
      absoluteHours: Math.round(office.sessionAbsolute / 3_600_000),
    },
    authorities: authoritySummary(authorities),
    providers: providerSummary(providers),
    timestampPolicy: timestampPolicies[office.timestampPolicy],
    constanciaPolicy: constanciaPolicies[office.constanciaPolicy],
    serverSigning: serverSigningPolicies[office.serverSigning],
    secondFactor: secondFactorWords(office.secondFactorGrace),
    presencePolicy: presencePolicies[office.presence],
    reminders: reminderPolicies[office.reminders],
    reportSchedule: reportSchedules[office.reportSchedule],
    names: publicNames[office.publicNames],
    downloads: publicDownloads[office.publicDownloads],
    conflicts: conflictsOf(policies).map(conflictText),
    backups: backupView(backups, office.timeZone),
    isSending: await orErrorPage(isSendingMail(system, actor)),
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'office.manage'),
    canReadArco: isAllowed(mustBeSignedIn(actor).roles, 'arco.read'),
    canReadConsents: isAllowed(mustBeSignedIn(actor).roles, 'consents.read'),
    canList: isAllowed(mustBeSignedIn(actor).roles, 'checklists.manage'),
    canNumber: isAllowed(mustBeSignedIn(actor).roles, 'number-series.manage'),
  }
}

export default function OfficeSettings({ loaderData: view }: Route.ComponentProps) {
  const { office, backups, canManage } = view
  return (
    <>
      <PageHead title="Configuración" lead="Cómo está configurada la notaría." />
      <Sheets>
        <Sheet
          title="Notaría"
          aside={canManage && <PageLink to="/dashboard/settings/office">Cambiar datos</PageLink>}
        >
          <FactList>
            <Fact name="Nombre">{office.name}</Fact>
            <Fact name="Número">{office.number}</Fact>
            <Fact name="Entidad federativa">{office.entity}</Fact>
            <Fact name="Municipio o alcaldía">{office.municipality}</Fact>
            <Fact name="Domicilio">{office.address}</Fact>
            <Fact name="Hora oficial">{office.timeZone}</Fact>
          </FactList>
        </Sheet>
        <SigningSheet view={view} />
        <AccessSheet view={view} />
        <DocumentsSheet view={view} />
        <MailSheet view={view} />
        <CareSheet view={view} />
        <div id="respaldos">
          <Sheet title="Respaldos">
            <BackupFacts view={backups} />
          </Sheet>
        </div>
      </Sheets>
    </>
  )
}

type Props = { view: Route.ComponentProps['loaderData'] }

function SigningSheet({ view }: Props) {
  const { conflicts, serverSigning, presencePolicy, authorities, providers, canManage } = view
  return (
    <Sheet title="Firma">
      {conflicts.map((conflict) => (
        <Notice key={conflict} tone="wait" isLive={false}>
          {conflict}
        </Notice>
      ))}
      <FactList>
        <Fact name="Firma en el servidor">
          {serverSigning}{' '}
          {canManage && <ChangeLink to="server-signing" what="la firma en el servidor" />}
        </Fact>
        <Fact name="Presencia antes de firmar">
          {presencePolicy}{' '}
          {canManage && <ChangeLink to="presence" what="la presencia antes de firmar" />}
        </Fact>
        <Fact name="Autoridades de confianza">
          {authorities} <SeeLink to="authorities">Ver autoridades</SeeLink>
        </Fact>
        <Fact name="Proveedores">
          {providers} <SeeLink to="providers">Ver proveedores</SeeLink>
        </Fact>
        <Fact name="Sello de tiempo">
          Si ningún proveedor responde: {view.timestampPolicy}{' '}
          {canManage && <ChangeLink to="timestamps" what="qué pasa si ninguno responde" />}
        </Fact>
        <Fact name="Constancias">
          {view.constanciaPolicy}{' '}
          {canManage && <ChangeLink to="constancias" what="cuándo se solicitan constancias" />}
        </Fact>
      </FactList>
    </Sheet>
  )
}

function AccessSheet({ view: { office, secondFactor, canManage } }: Props) {
  return (
    <Sheet title="Acceso">
      <FactList>
        <Fact name="Verificación en dos pasos">
          {secondFactor}{' '}
          {canManage && <ChangeLink to="second-factor" what="la verificación en dos pasos" />}
        </Fact>
        <Fact name="Sesión sin actividad">
          Termina a los {office.idleMinutes} minutos{' '}
          {canManage && <ChangeLink to="idle" what="la sesión sin actividad" />}
        </Fact>
        <Fact name="Sesión continua">
          Termina a las {office.absoluteHours} horas{' '}
          {canManage && <ChangeLink to="session-length" what="la sesión continua" />}
        </Fact>
        <Fact name="Roles">
          Lo que puede hacer cada persona <SeeLink to="roles">Ver roles</SeeLink>
        </Fact>
      </FactList>
    </Sheet>
  )
}

function DocumentsSheet({ view }: Props) {
  const { office, names, downloads, canManage, canNumber, canList } = view
  return (
    <Sheet title="Documentos">
      <FactList>
        <Fact name="Obligaciones">
          Los avisos de la notaría, sus plazos y los días inhábiles{' '}
          <SeeLink to="obligations">Ver plazos y fuentes</SeeLink>
        </Fact>
        {canNumber && (
          <Fact name="Numeración">
            El número siguiente y el libro de cada serie{' '}
            <ChangeLink to="numbers" what="la numeración" />
          </Fact>
        )}
        {canList && (
          <Fact name="Listas de revisión">
            Lo que se revisa en cada acto{' '}
            <ChangeLink to="checklists" what="las listas de revisión" />
          </Fact>
        )}
        {canManage && (
          <Fact name="Actos">
            Quién firma cada uno y si puede firmarse electrónicamente{' '}
            <ChangeLink to="acts" what="los actos" />
          </Fact>
        )}
        <Fact name="Tamaño máximo">
          {office.uploadMegabytes} MB por documento{' '}
          {canManage && <ChangeLink to="upload-limit" what="el tamaño máximo" />}
        </Fact>
        <Fact name="Página pública">
          Nombres: {names}. Descargas: {downloads}.{' '}
          {canManage && <ChangeLink to="public-page" what="la página pública" />}
        </Fact>
      </FactList>
    </Sheet>
  )
}

function MailSheet({ view: { isSending, reminders, reportSchedule, canManage } }: Props) {
  return (
    <Sheet title="Correo y avisos">
      <FactList>
        {canManage && (
          <Fact name="Correos">
            {isSending
              ? 'Invitaciones, turnos y alertas se envían por el servidor de correo.'
              : 'No hay servidor de correo: invitaciones, turnos y alertas esperan a que alguien los entregue.'}{' '}
            <SeeLink to="mail">Servidor de correo</SeeLink>
            {' · '}
            <SeeLink to="outbox">Ver correos</SeeLink>
          </Fact>
        )}
        <Fact name="Recordatorios automáticos">
          {reminders}{' '}
          {canManage && <ChangeLink to="reminders" what="los recordatorios automáticos" />}
        </Fact>
        <Fact name="Reportes de cada mes">
          {reportSchedule}{' '}
          {canManage && <ChangeLink to="reports" what="los reportes de cada mes" />}
        </Fact>
      </FactList>
    </Sheet>
  )
}

/** What the law asks of an office that holds data of people. */
function CareSheet({ view: { canManage, canReadArco, canReadConsents } }: Props) {
  if (!canReadArco && !canReadConsents) return null
  return (
    <Sheet title="Datos personales">
      <FactList>
        {canReadArco && (
          <Fact name="Solicitudes ARCO">
            <PageLink to="/dashboard/arco">Ver las solicitudes</PageLink>{' '}
            {canManage && <ChangeLink to="arco" what="los plazos de las solicitudes ARCO" />}
          </Fact>
        )}
        {canReadConsents && (
          <Fact name="Conservación">
            <PageLink to="/dashboard/retention">Ver los documentos cuyo plazo terminó</PageLink>{' '}
            {canManage && <ChangeLink to="retention" what="los plazos de conservación" />}
          </Fact>
        )}
        {canManage && (
          <Fact name="Aviso de privacidad">
            El que aceptan los firmantes externos{' '}
            <ChangeLink to="privacy" what="el aviso de privacidad" />
          </Fact>
        )}
        {canReadConsents && (
          <Fact name="Consentimientos">
            <PageLink to="/dashboard/consents">Ver los consentimientos</PageLink>
          </Fact>
        )}
      </FactList>
    </Sheet>
  )
}

/** The page has several of these links: screen readers get what each one changes. */
function ChangeLink({ to, what }: { to: string; what: string }) {
  return (
    <PageLink to={`/dashboard/settings/${to}`}>
      Cambiar<span className="visually-hidden"> {what}</span>
    </PageLink>
  )
}

function SeeLink({ to, children }: { to: string; children: string }) {
  return <PageLink to={`/dashboard/settings/${to}`}>{children}</PageLink>
}
