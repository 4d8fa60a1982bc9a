import type { AuditAction } from '#server/domain/audit/event.ts'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import type { SigningMethod } from '#server/domain/documents/document-signature.ts'
import type {
  CertificateStanding,
  HeldCertificate,
} from '#server/domain/identity/held-certificate.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { Capacity, UserState } from '#server/domain/identity/user.ts'

/* How the screens call the values of the domain, es-MX. */

export const documentStates: Record<DocumentState, string> = {
  draft: 'Borrador',
  signing: 'En firma',
  signed: 'Firmado',
  rejected: 'Rechazado',
  cancelled: 'Cancelado',
}

/** As headings and filters: how many stand in it. */
export const documentStatesOfMany: Record<DocumentState, string> = {
  draft: 'Borradores',
  signing: 'En firma',
  signed: 'Firmados',
  rejected: 'Rechazados',
  cancelled: 'Cancelados',
}

export const documentKinds: Record<DocumentKind, string> = {
  'certified-copy': 'Copia certificada',
  testimony: 'Testimonio',
  act: 'Acta',
  letter: 'Carta',
  'power-of-attorney': 'Poder',
  contract: 'Contrato',
  notice: 'Aviso',
  draft: 'Proyecto',
  other: 'Otro',
}

export const signingMethods: Record<SigningMethod, string> = {
  browser: 'e.firma en el navegador',
  server: 'e.firma sin scripts, en la memoria del servidor',
  pkcs11: 'Dispositivo criptográfico',
}

export const certificateKinds: Record<HeldCertificate['kind'], string> = {
  'efirma-natural': 'e.firma de persona física',
  'efirma-legal': 'e.firma de persona moral',
  csd: 'Certificado de sello digital',
  unknown: 'Otro certificado',
}

export const certificateStandings: Record<CertificateStanding, string> = {
  'not-yet-valid': 'Aún no vigente',
  'in-force': 'Vigente',
  expiring: 'Por vencer',
  expired: 'Vencido',
}

export const roles: Record<Role, string> = {
  ADMIN: 'Administrador',
  NOTARY: 'Notario',
  LAWYER: 'Abogado o proyectista',
  CLERK: 'Auxiliar',
  AUDITOR: 'Auditor',
}

export const capacities: Record<Capacity, string> = {
  titular: 'Titular',
  suplente: 'Suplente',
  asociado: 'Asociado',
  adscrito: 'Adscrito',
  interino: 'Interino',
}

export const userStates: Record<UserState, string> = {
  invited: 'Invitado',
  active: 'Activo',
  suspended: 'Suspendido',
}

export const auditActions: Record<AuditAction, string> = {
  'access.refused': 'Acceso negado',
  'audit.viewed': 'Consulta de la bitácora',
  'certificate.added': 'Certificado registrado',
  'document.cancelled': 'Documento cancelado',
  'document.downloaded': 'Documento descargado',
  'document.previewed': 'Páginas del documento vistas',
  'document.rejected': 'Documento rechazado',
  'document.signed': 'Documento firmado',
  'document.uploaded': 'Documento subido',
  'document.verified': 'Documento verificado',
  'document.viewed': 'Documento consultado',
  'office.created': 'Notaría creada',
  'office.changed': 'Notaría modificada',
  'session.ended': 'Sesión cerrada',
  'session.refused': 'Inicio de sesión rechazado',
  'session.started': 'Sesión iniciada',
  'session.throttled': 'Demasiados intentos de inicio de sesión',
  'signature.prepared': 'Firma preparada',
  'signature.refused': 'Firma rechazada',
  'user.changed': 'Usuario modificado',
  'user.created': 'Usuario creado',
}
