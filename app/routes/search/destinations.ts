import type { Role } from '#server/domain/identity/role.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { type Action, isAllowed } from '#server/domain/policy/authorize.ts'
import { actionToRead, ReportKind } from '#server/domain/reports/report-kind.ts'
import { reportNames } from '#server/words/reports.ts'

type Destination = {
  to: string
  name: string
  /** Other words that people use for it. */
  words?: string
  /** Absent on pages of every user. */
  action?: Action
}

const REPORT_WORDS: Partial<Record<ReportKind, string>> = {
  ...{ instruments: 'libro folios faltantes', documents: 'cuentas mes', acts: 'cuentas' },
  ...{ times: 'tardanza espera', activity: 'usuarios trabajo', accesses: 'inicios de sesión' },
  ...{ numbers: 'faltantes consecutivo', constancias: 'gasto NOM-151' },
}

/** The pages of the office that one may jump to. Pages of one document, person or session are found by their names. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/dashboard', name: 'Dashboard', words: 'inicio tablero panel' },
  { to: '/dashboard/documents', name: 'Documentos', words: 'escrituras actas' },
  {
    to: '/dashboard/documents/new',
    name: 'Subir documento',
    words: 'agregar nuevo cargar PDF',
    action: 'document.upload',
  },
  {
    to: '/dashboard/documents/numbers',
    name: 'Números de instrumentos',
    words: 'escritura acta cotejo faltantes consecutivo apartar',
  },
  { to: '/dashboard/signing', name: 'Firmar', words: 'sesiones de firma pendientes' },
  {
    to: '/dashboard/signing/new',
    name: 'Nueva sesión de firma',
    words: 'crear invitar firmantes',
    action: 'signing-sessions.manage',
  },
  { to: '/dashboard/signing/batch', name: 'Firmar varios documentos', words: 'lote' },
  {
    to: '/dashboard/signing/parties',
    name: 'Catálogo de partes',
    words: 'compradores vendedores clientes',
    action: 'signing-sessions.manage',
  },
  { to: '/dashboard/certificates', name: 'Certificados', words: 'efirma e.firma SAT' },
  {
    to: '/dashboard/certificates/new',
    name: 'Registrar certificado',
    words: 'agregar nuevo efirma e.firma cer',
    action: 'certificates.register-own',
  },
  {
    to: '/dashboard/certificates/file',
    name: '¿Qué es este archivo?',
    words: 'que diagnosticar cer key pfx p12 CSD efirma e.firma',
    action: 'certificates.read',
  },
  {
    to: '/dashboard/certificates/keys',
    name: 'YubiKeys',
    words: 'llaves físicas inventario tokens',
    action: 'yubikeys.read-own',
  },
  {
    to: '/dashboard/certificates/keys/new',
    name: 'Registrar YubiKey',
    words: 'agregar nueva llave física',
    action: 'yubikeys.manage',
  },
  {
    to: '/dashboard/certificates/keys/makers',
    name: 'Raíces del fabricante',
    words: 'YubiKey atestación PIV',
    action: 'yubikeys.read',
  },
  { to: '/dashboard/users', name: 'Usuarios', words: 'personas colegas roles' },
  {
    to: '/dashboard/users/new',
    name: 'Invitar a una persona',
    words: 'agregar nuevo usuario',
    action: 'users.manage',
  },
  { to: '/dashboard/alerts', name: 'Alertas', words: 'avisos' },
  { to: '/dashboard/audit', name: 'Auditoría', words: 'bitácora eventos historial' },
  {
    to: '/dashboard/reports',
    name: 'Reportes',
    words: 'informes estadísticas cuentas',
    action: 'reports.read',
  },
  ...ReportKind.options.map((kind) => ({
    to: `/dashboard/reports/${kind}`,
    name: reportNames[kind],
    words: `reporte ${REPORT_WORDS[kind] ?? ''}`,
    action: actionToRead(kind),
  })),
  {
    to: '/dashboard/reports/files',
    name: 'Archivos de reportes',
    words: 'exportar descargar excel',
    action: 'reports.read',
  },
  {
    to: '/dashboard/obligations',
    name: 'Obligaciones',
    words: 'avisos vencimientos plazos calendario DeclaraNOT PLD testamento',
    action: 'obligations.read',
  },
  {
    to: '/dashboard/settings/obligations',
    name: 'Plazos y fuentes',
    words: 'obligaciones avisos términos',
    action: 'obligations.read',
  },
  {
    to: '/dashboard/settings/obligations/days',
    name: 'Días inhábiles',
    words: 'feriados asueto vacaciones calendario',
    action: 'obligations.read',
  },
  {
    to: '/dashboard/settings/obligations/new',
    name: 'Agregar obligación',
    words: 'nueva aviso plazo',
    action: 'obligations.manage',
  },
  {
    to: '/dashboard/arco',
    name: 'Solicitudes ARCO',
    words: 'datos personales acceso rectificación cancelación oposición',
    action: 'arco.read',
  },
  {
    to: '/dashboard/arco/new',
    name: 'Registrar solicitud ARCO',
    words: 'nueva datos personales derechos',
    action: 'arco.record',
  },
  {
    to: '/dashboard/retention',
    name: 'Conservación',
    words: 'plazos baja bloquear destruir documentos',
    action: 'retention.read',
  },
  {
    to: '/dashboard/consents',
    name: 'Consentimientos',
    words: 'aviso de privacidad aceptados datos personales',
    action: 'consents.read',
  },
  { to: '/dashboard/settings', name: 'Configuración', words: 'ajustes' },
  { to: '/dashboard/settings/roles', name: 'Roles', words: 'permisos qué puede hacer' },
  {
    to: '/dashboard/settings/authorities',
    name: 'Autoridades de confianza',
    words: 'SAT certificadoras raíz',
  },
  {
    to: '/dashboard/settings/providers',
    name: 'Proveedores',
    words: 'sellos de tiempo TSA constancias NOM-151',
  },
  {
    to: '/dashboard/settings/office',
    name: 'Datos de la notaría',
    words: 'domicilio número',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/numbers',
    name: 'Numeración',
    words: 'siguiente número libro volumen tomo serie',
    action: 'number-series.manage',
  },
  {
    to: '/dashboard/settings/checklists',
    name: 'Listas de revisión',
    words: 'requisitos puntos checklist',
    action: 'checklists.manage',
  },
  {
    to: '/dashboard/settings/acts',
    name: 'Actos',
    words: 'compraventa poder plantillas',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/acts/new',
    name: 'Agregar acto',
    words: 'nuevo',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/mail',
    name: 'Servidor de correo',
    words: 'SMTP remitente prueba',
    action: 'mail.manage',
  },
  {
    to: '/dashboard/settings/outbox',
    name: 'Correos',
    words: 'enviados salida mail',
    action: 'mail.read',
  },
  {
    to: '/dashboard/settings/authorities/new',
    name: 'Importar autoridades',
    words: 'certificadoras confianza',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/constancias',
    name: 'Constancias NOM-151',
    words: 'conservación PSC',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/timestamps',
    name: 'Sellos de tiempo',
    words: 'TSA',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/providers/new',
    name: 'Agregar proveedor',
    words: 'nuevo TSA PSC sellos constancias',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/presence',
    name: 'Presencia al firmar',
    words: 'llave de seguridad política',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/server-signing',
    name: 'Firma en el servidor',
    words: 'sin scripts política clave',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/second-factor',
    name: 'Verificación en dos pasos',
    words: 'segundo factor política plazo',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/public-page',
    name: 'Página pública',
    words: 'nombres iniciales descargas consulta verificación política',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/upload-limit',
    name: 'Tamaño de los documentos',
    words: 'límite MB subir',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/idle',
    name: 'Sesión sin actividad',
    words: 'cerrar minutos política',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/session-length',
    name: 'Sesión continua',
    words: 'duración horas política',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/retention',
    name: 'Plazos de conservación',
    words: 'años bloqueo baja documentos retención conservación política',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/arco',
    name: 'Plazos ARCO',
    words: 'días hábiles términos datos personales',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/privacy',
    name: 'Aviso de privacidad',
    words: 'datos personales',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/reports',
    name: 'Reportes de cada mes',
    words: 'mensuales correo',
    action: 'office.manage',
  },
  {
    to: '/dashboard/settings/reminders',
    name: 'Recordatorios',
    words: 'correo días',
    action: 'office.manage',
  },
  {
    to: '/dashboard/profile',
    name: 'Mi perfil',
    words: 'contraseña llaves sesiones segundo factor',
  },
  {
    to: '/dashboard/profile/alerts',
    name: 'Alertas por correo',
    words: 'avisos resumen diario preferencia',
  },
  {
    to: '/dashboard/profile/backup-codes',
    name: 'Códigos de respaldo',
    words: 'segundo factor dos pasos',
  },
  {
    to: '/dashboard/profile/tokens',
    name: 'Tokens de acceso',
    words: 'programas API agente',
  },
  {
    to: '/dashboard/profile/calendar',
    name: 'Mi calendario',
    words: 'obligaciones iCalendar teléfono ics',
  },
  {
    to: '/dashboard/profile/offices',
    name: 'Mis notarías',
    words: 'cambiar otra notaría cuenta',
  },
  { to: '/verify/document', name: 'Verificar documento', words: 'informe validar' },
]

/** The pages that one of these roles may open and that have the words of the text, all of them without a text. */
export function destinationsFor(roles: readonly Role[], text: string): readonly Destination[] {
  const words = searchable(text).split(/\s+/)
  return DESTINATIONS.filter(({ action }) => !action || isAllowed(roles, action)).filter(
    ({ name, words: others = '' }) => {
      const own = ` ${searchable(`${name} ${others}`)}`
      return words.every((word) => own.includes(` ${word}`))
    },
  )
}
