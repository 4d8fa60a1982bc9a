import type { Deed } from './deeds.ts'
import type { Role } from './fixtures.ts'

export type Stop = { path: string; title: string; label?: string }

/** Public pages. */
export const PUBLIC_STOPS: readonly Stop[] = [
  { path: '/', title: 'Rúbrica · Firma digital para notarías de México' },
  { path: '/login', title: 'Iniciar Sesión · Rúbrica' },
  { path: '/activate', title: 'Elegir contraseña · Rúbrica' },
  { path: '/sign', title: 'Firmar por enlace · Rúbrica' },
  { path: '/verify/document', title: 'Verificar documento · Rúbrica' },
]

/** Pages of a notary, with the label in the top bar. */
export const DASHBOARD_STOPS: readonly Stop[] = [
  { path: '/dashboard', title: 'Dashboard · Rúbrica', label: 'Dashboard' },
  { path: '/dashboard/documents', title: 'Documentos · Rúbrica', label: 'Documentos' },
  {
    path: '/dashboard/documents/new',
    title: 'Subir documento · Rúbrica',
    label: 'Subir documento',
  },
  {
    path: '/dashboard/documents/views',
    title: 'Vistas guardadas · Rúbrica',
    label: 'Vistas guardadas',
  },
  { path: '/dashboard/documents/numbers', title: 'Números · Rúbrica', label: 'Números' },
  { path: '/dashboard/signing', title: 'Firmar · Rúbrica', label: 'Firmar' },
  {
    path: '/dashboard/signing/new',
    title: 'Nueva sesión de firma · Rúbrica',
    label: 'Nueva sesión de firma',
  },
  {
    path: '/dashboard/signing/batch',
    title: 'Firmar varios documentos · Rúbrica',
    label: 'Firmar varios documentos',
  },
  {
    path: '/dashboard/signing/batch/without-scripts',
    title: 'Firmar en el servidor · Rúbrica',
    label: 'Firmar en el servidor',
  },
  {
    path: '/dashboard/signing/parties',
    title: 'Catálogo de partes · Rúbrica',
    label: 'Catálogo de partes',
  },
  { path: '/dashboard/certificates', title: 'Certificados · Rúbrica', label: 'Certificados' },
  {
    path: '/dashboard/certificates/new',
    title: 'Registrar certificado · Rúbrica',
    label: 'Registrar certificado',
  },
  {
    path: '/dashboard/certificates/file',
    title: '¿Qué es este archivo? · Rúbrica',
    label: '¿Qué es este archivo?',
  },
  {
    path: '/dashboard/certificates/keys',
    title: 'YubiKeys · Rúbrica',
    label: 'YubiKeys',
  },
  {
    path: '/dashboard/certificates/keys/new',
    title: 'Registrar YubiKey · Rúbrica',
    label: 'Registrar YubiKey',
  },
  {
    path: '/dashboard/certificates/keys/makers',
    title: 'Raíces del fabricante · Rúbrica',
    label: 'Raíces del fabricante',
  },
  {
    path: '/dashboard/certificates/keys/makers/new',
    title: 'Agregar raíz del fabricante · Rúbrica',
    label: 'Agregar raíz del fabricante',
  },
  { path: '/dashboard/users', title: 'Usuarios · Rúbrica', label: 'Usuarios' },
  {
    path: '/dashboard/users/new',
    title: 'Invitar a una persona · Rúbrica',
    label: 'Invitar a una persona',
  },
  { path: '/dashboard/alerts', title: 'Alertas · Rúbrica', label: 'Alertas' },
  { path: '/dashboard/arco', title: 'Solicitudes ARCO · Rúbrica', label: 'Solicitudes ARCO' },
  {
    path: '/dashboard/arco/new',
    title: 'Registrar solicitud ARCO · Rúbrica',
    label: 'Registrar solicitud ARCO',
  },
  { path: '/dashboard/retention', title: 'Conservación · Rúbrica', label: 'Conservación' },
  { path: '/dashboard/consents', title: 'Consentimientos · Rúbrica', label: 'Consentimientos' },
  { path: '/dashboard/search', title: 'Buscar · Rúbrica', label: 'Buscar' },
  {
    path: '/dashboard/obligations',
    title: 'Obligaciones · Rúbrica',
    label: 'Obligaciones',
  },
  {
    path: '/dashboard/settings/obligations',
    title: 'Plazos y fuentes · Rúbrica',
    label: 'Plazos y fuentes',
  },
  {
    path: '/dashboard/settings/obligations/days',
    title: 'Días inhábiles · Rúbrica',
    label: 'Días inhábiles',
  },
  {
    path: '/dashboard/settings/obligations/new',
    title: 'Agregar obligación · Rúbrica',
    label: 'Agregar obligación',
  },
  {
    path: '/dashboard/profile/calendar',
    title: 'Mi calendario · Rúbrica',
    label: 'Mi Perfil',
  },
  {
    path: '/dashboard/profile/offices',
    title: 'Mis notarías · Rúbrica',
    label: 'Mi Perfil',
  },
  { path: '/dashboard/audit', title: 'Auditoría · Rúbrica', label: 'Auditoría' },
  { path: '/dashboard/reports', title: 'Reportes · Rúbrica', label: 'Reportes' },
  {
    path: '/dashboard/reports/documents',
    title: 'Documentos por tipo y estado · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/acts',
    title: 'Documentos por acto · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/times',
    title: 'Tiempo para firmar · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/activity',
    title: 'Actividad por persona · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/accesses',
    title: 'Accesos · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/certificates',
    title: 'Certificados por vencimiento · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/numbers',
    title: 'Huecos en la numeración · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/constancias',
    title: 'Constancias y su costo · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/files',
    title: 'Archivos de reportes · Rúbrica',
    label: 'Reportes',
  },
  {
    path: '/dashboard/reports/instruments',
    title: 'Índice de instrumentos · Rúbrica',
    label: 'Índice de instrumentos',
  },
  { path: '/dashboard/settings', title: 'Configuración · Rúbrica', label: 'Configuración' },
  { path: '/dashboard/settings/roles', title: 'Roles · Rúbrica', label: 'Roles' },
  {
    path: '/dashboard/settings/authorities',
    title: 'Autoridades de confianza · Rúbrica',
    label: 'Autoridades',
  },
  { path: '/dashboard/settings/providers', title: 'Proveedores · Rúbrica', label: 'Proveedores' },
  {
    path: '/dashboard/settings/mail',
    title: 'Servidor de correo · Rúbrica',
    label: 'Servidor de correo',
  },
  { path: '/dashboard/settings/outbox', title: 'Correos · Rúbrica', label: 'Correos' },
  {
    path: '/dashboard/settings/authorities/new',
    title: 'Importar autoridades · Rúbrica',
    label: 'Importar autoridades',
  },
  {
    path: '/dashboard/settings/office',
    title: 'Datos de la notaría · Rúbrica',
    label: 'Datos de la notaría',
  },
  {
    path: '/dashboard/settings/constancias',
    title: 'Constancias NOM-151 · Rúbrica',
    label: 'Constancias',
  },
  {
    path: '/dashboard/settings/checklists',
    title: 'Listas de revisión · Rúbrica',
    label: 'Listas de revisión',
  },
  {
    path: '/dashboard/settings/numbers',
    title: 'Numeración · Rúbrica',
    label: 'Numeración',
  },
  { path: '/dashboard/settings/acts', title: 'Actos · Rúbrica', label: 'Actos' },
  {
    path: '/dashboard/settings/acts/new',
    title: 'Agregar acto · Rúbrica',
    label: 'Agregar acto',
  },
  {
    path: '/dashboard/settings/retention',
    title: 'Plazos de conservación · Rúbrica',
    label: 'Plazos de conservación',
  },
  { path: '/dashboard/settings/arco', title: 'Plazos ARCO · Rúbrica', label: 'Plazos ARCO' },
  {
    path: '/dashboard/settings/privacy',
    title: 'Aviso de privacidad · Rúbrica',
    label: 'Aviso de privacidad',
  },
  {
    path: '/dashboard/settings/presence',
    title: 'Presencia al firmar · Rúbrica',
    label: 'Presencia al firmar',
  },
  {
    path: '/dashboard/settings/second-factor',
    title: 'Verificación en dos pasos · Rúbrica',
    label: 'Verificación en dos pasos',
  },
  {
    path: '/dashboard/settings/server-signing',
    title: 'Firma en el servidor · Rúbrica',
    label: 'Firma en el servidor',
  },
  {
    path: '/dashboard/settings/public-page',
    title: 'Página pública · Rúbrica',
    label: 'Página pública',
  },
  {
    path: '/dashboard/settings/upload-limit',
    title: 'Tamaño de los documentos · Rúbrica',
    label: 'Tamaño de los documentos',
  },
  {
    path: '/dashboard/settings/reports',
    title: 'Reportes de cada mes · Rúbrica',
    label: 'Reportes de cada mes',
  },
  {
    path: '/dashboard/settings/reminders',
    title: 'Recordatorios automáticos · Rúbrica',
    label: 'Recordatorios automáticos',
  },
  {
    path: '/dashboard/settings/idle',
    title: 'Sesión sin actividad · Rúbrica',
    label: 'Sesión sin actividad',
  },
  {
    path: '/dashboard/settings/session-length',
    title: 'Sesión continua · Rúbrica',
    label: 'Sesión continua',
  },
  {
    path: '/dashboard/settings/providers/new',
    title: 'Agregar proveedor · Rúbrica',
    label: 'Agregar proveedor',
  },
  {
    path: '/dashboard/settings/timestamps',
    title: 'Sello de tiempo al firmar · Rúbrica',
    label: 'Sello de tiempo',
  },
  { path: '/dashboard/profile', title: 'Mi Perfil · Rúbrica', label: 'Mi Perfil' },
  {
    path: '/dashboard/profile/alerts',
    title: 'Alertas por correo · Rúbrica',
    label: 'Mi Perfil',
  },
  {
    path: '/dashboard/profile/tokens',
    title: 'Tokens de acceso · Rúbrica',
    label: 'Mi Perfil',
  },
  {
    path: '/dashboard/profile/backup-codes',
    title: 'Códigos de respaldo · Rúbrica',
    label: 'Mi Perfil',
  },
]

/** Pages of one document; not all of them hydrate. */
export function stopsOf({ id, title }: Pick<Deed, 'id' | 'title'>): readonly Stop[] {
  const path = `/dashboard/documents/${id}`
  return [
    { path, title: `${title} · Rúbrica`, label: 'Documento' },
    { path: `${path}/sign`, title: 'Firmar documento · Rúbrica', label: 'Firmar documento' },
    {
      path: `${path}/sign/without-scripts`,
      title: 'Firmar en el servidor · Rúbrica',
      label: 'Firmar en el servidor',
    },
    { path: `/verify/${id}`, title: 'Verificación de documento · Rúbrica' },
  ]
}

/** Further pages of a draft. */
export const stopsOfDraft = ({ id }: Pick<Deed, 'id'>): readonly Stop[] => [
  {
    path: `/dashboard/documents/${id}/edit`,
    title: 'Editar documento · Rúbrica',
    label: 'Editar documento',
  },
  {
    path: `/dashboard/documents/${id}/checklist`,
    title: 'Lista de revisión · Rúbrica',
    label: 'Lista de revisión',
  },
  {
    path: `/dashboard/documents/${id}/number`,
    title: 'Número de instrumento · Rúbrica',
    label: 'Número de instrumento',
  },
  {
    path: `/dashboard/documents/${id}/cancel`,
    title: 'Cancelar documento · Rúbrica',
    label: 'Cancelar documento',
  },
]

/** Pages of a single thing, and pages that need one. In braces, what `findThings` finds. */
export const THING_STOPS = [
  '/dashboard/documents/cancel?document={draft}',
  '/dashboard/documents/numbers/{number}',
  '/dashboard/documents/{draft}',
  '/dashboard/documents/{draft}/purge',
  '/dashboard/documents/{draft}/replace',
  '/dashboard/documents/{signed}/copies',
  '/dashboard/documents/{signed}/copies/new',
  '/dashboard/documents/{signed}/copies/{copy}/cancel',
  '/dashboard/documents/{signed}/further-signing',
  '/dashboard/documents/{signed}/history',
  '/dashboard/documents/{signed}/text?version=1',
  '/dashboard/documents/{signed}/versions?from=1&to=2',
  '/dashboard/documents/{signed}/verdict',
  '/dashboard/signing/{session}',
  '/dashboard/signing/{session}/links/{signer}',
  '/dashboard/signing/{draftSession}',
  '/dashboard/signing/{draftSession}/review',
  '/dashboard/signing/parties/{party}',
  '/dashboard/certificates/{certificate}',
  '/dashboard/certificates/keys/{yubikey}',
  '/dashboard/certificates/keys/{yubikey}/attestation',
  '/dashboard/certificates/keys/{yubikey}/receipts/{receipt}',
  '/dashboard/arco/{arco}',
  '/dashboard/users/{user}',
  '/dashboard/users/{notary}/capacity',
  '/dashboard/settings/acts/{act}',
  '/dashboard/settings/authorities/{authority}',
  '/dashboard/settings/checklists/{act}',
  '/dashboard/settings/numbers/{series}',
  '/dashboard/settings/obligations/{obligation}',
  '/dashboard/obligations/{deadline}',
  '/dashboard/settings/outbox/{mail}',
  '/dashboard/settings/providers/{provider}',
  '/privacy/{office}',
] as const

type NameIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NameIn<Rest>
  : never

/** Ids of the things, and whatever else their addresses have. */
export type Things = Record<NameIn<(typeof THING_STOPS)[number]>, string>

export const pathsOfThings = (things: Things): string[] =>
  THING_STOPS.map((path) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => things[name as keyof Things]),
  )

/** Pages of one's own account that are met on the way in; without the frame of the dashboard. */
export const ACCOUNT_STOPS = [
  '/change-password',
  '/setup-mfa',
  '/setup-mfa/key',
  '/step-up',
] as const

/** The side menu of the specification. */
export const MENU = [
  ['Dashboard', '/dashboard'],
  ['Documentos', '/dashboard/documents'],
  ['Firmar', '/dashboard/signing'],
  ['Certificados', '/dashboard/certificates'],
  ['Usuarios', '/dashboard/users'],
  ['Auditoría', '/dashboard/audit'],
  ['Configuración', '/dashboard/settings'],
] as const

export const ROLES: readonly Role[] = ['ADMIN', 'NOTARY', 'LAWYER', 'CLERK', 'AUDITOR']

/** Stops of those who prepare documents and sessions, which an administrator alone may not see. */
const OF_STAFF = [
  '/dashboard/documents/new',
  '/dashboard/signing/new',
  '/dashboard/signing/parties',
]
export const isOfStaff = ({ path }: Pick<Stop, 'path'>) => OF_STAFF.includes(path)
