import type { AuditAction } from '#server/domain/audit/event.ts'
import type { AuditTopic } from '#server/domain/audit/topic.ts'
import type { DocumentKind, DocumentState } from '#server/domain/documents/document.ts'
import type { SigningMethod } from '#server/domain/documents/document-signature.ts'
import type { VersionCause } from '#server/domain/documents/document-version.ts'
import type {
  CertificateStanding,
  HeldCertificate,
} from '#server/domain/identity/held-certificate.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { Capacity, UserState } from '#server/domain/identity/user.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import type { SigningSessionState } from '#server/domain/signing/session/signing-session.ts'

/*
 * What the screens say in more than one place, es-MX. The catalogue and the labels are those of the
 * specification, to the letter; a sentence that one page alone says stands in that page.
 */

/** The error catalogue of the specification. */
export const errors = {
  connection: 'Error de conexión. Por favor, verifique su conexión a internet.',
  forbidden: 'No tiene permisos para realizar esta acción.',
  notFound: 'El recurso solicitado no fue encontrado.',
  server: 'Error del servidor. Por favor, intente más tarde.',
  unexpected: 'Ocurrió un error inesperado. Por favor, intente nuevamente.',
  sessionExpired: 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
} as const

type FlashText = { type: 'success' | 'warning' | 'error' | 'info'; message: string }

/** What a toast or an alert tells on the page after something was done. */
export const flashTexts = {
  'session-expired': { type: 'warning', message: errors.sessionExpired },
  'session-created': {
    type: 'success',
    message: 'La sesión de firma se creó. Nombre a los firmantes y ábrala.',
  },
  'session-changed': { type: 'success', message: 'La sesión de firma se guardó.' },
  'session-opened': {
    type: 'success',
    message: 'La sesión de firma está abierta y se avisó a quienes firman primero.',
  },
  'session-extended': { type: 'success', message: 'La fecha límite se cambió.' },
  'session-cancelled': { type: 'success', message: 'La sesión de firma se canceló.' },
  'session-rejected': { type: 'success', message: 'Su rechazo quedó registrado.' },
  'signer-reminded': { type: 'success', message: 'El recordatorio se envió.' },
  'signer-replaced': { type: 'success', message: 'El firmante se sustituyó.' },
  'signed-out': { type: 'success', message: 'Su sesión se cerró.' },
  'not-signed-out': {
    type: 'warning',
    message: 'La página había vencido y su sesión sigue abierta. Ciérrela de nuevo.',
  },
  'access-token-revoked': { type: 'success', message: 'El token de acceso se revocó.' },
  'sessions-ended': { type: 'success', message: 'Las demás sesiones se cerraron.' },
  'session-ended': { type: 'success', message: 'La sesión se cerró.' },
  'sign-in-gone': {
    type: 'warning',
    message: 'La verificación venció o se agotaron los intentos. Inicie sesión de nuevo.',
  },
  'password-changed': {
    type: 'success',
    message: 'La contraseña se cambió y las demás sesiones se cerraron.',
  },
  'sign-in-first': { type: 'info', message: 'Inicie sesión con su correo y contraseña.' },
  'key-added': { type: 'success', message: 'La llave de seguridad quedó agregada.' },
  'app-added': { type: 'success', message: 'La aplicación de autenticación quedó agregada.' },
  'key-renamed': { type: 'success', message: 'El nombre de la llave se guardó.' },
  'key-removed': { type: 'success', message: 'La llave de seguridad se quitó.' },
  'app-removed': { type: 'success', message: 'La aplicación de autenticación se quitó.' },
  'identity-confirmed': { type: 'success', message: 'Su identidad quedó confirmada.' },
  'not-confirmed-in-time': {
    type: 'warning',
    message: 'Pasó demasiado tiempo y no se hizo nada. Repita la acción.',
  },
  'theme-saved': { type: 'success', message: 'El tema se guardó en este navegador.' },
  'theme-not-saved': {
    type: 'warning',
    message: 'La página había vencido y el tema no se guardó. Elíjalo de nuevo.',
  },
  'presence-proven': {
    type: 'success',
    message: 'Su presencia quedó comprobada. Tiene cinco minutos para firmar.',
  },
  'presence-policy-changed': { type: 'success', message: 'La política de presencia se guardó.' },
  'document-uploaded': { type: 'success', message: 'El documento se guardó.' },
  'privacy-notice-changed': {
    type: 'success',
    message: 'El aviso de privacidad se guardó. Se mostrará a quien todavía no lo haya aceptado.',
  },
  'document-cancelled': { type: 'success', message: 'El documento quedó cancelado.' },
  'document-described': { type: 'success', message: 'Los datos del instrumento se guardaron.' },
  'signing-link-spent': {
    type: 'warning',
    message:
      'Su enlace ya no sirve: venció, se retiró o se le dio otro. Pida uno nuevo a la notaría.',
  },
  'signing-rejected': {
    type: 'info',
    message:
      'Su rechazo quedó registrado y la notaría recibió el motivo. Puede cerrar esta página.',
  },
  'signing-link-made': {
    type: 'success',
    message: 'El enlace nuevo quedó listo. El anterior dejó de servir.',
  },
  'signing-link-revoked': { type: 'success', message: 'El enlace se retiró y ya no abre nada.' },
  'batch-ended': {
    type: 'warning',
    message: 'Su certificado dejó de aceptarse. No se siguió firmando; consulte al administrador.',
  },
  'document-signed': { type: 'success', message: 'El documento quedó firmado.' },
  'user-invited': { type: 'success', message: 'La invitación quedó lista. Entregue el código.' },
  'link-made': { type: 'success', message: 'El enlace nuevo quedó listo. Entregue el código.' },
  'user-changed': { type: 'success', message: 'Los datos y los roles se guardaron.' },
  'user-suspended': {
    type: 'success',
    message: 'La cuenta se suspendió y sus sesiones se cerraron.',
  },
  'user-reactivated': { type: 'success', message: 'La cuenta se reactivó.' },
  'password-change-asked': {
    type: 'success',
    message: 'Se pedirá a la persona que cambie su contraseña antes de continuar.',
  },
  'user-session-ended': { type: 'success', message: 'La sesión de la persona se cerró.' },
  'user-sessions-ended': { type: 'success', message: 'Las sesiones de la persona se cerraron.' },
  'removal-asked': {
    type: 'info',
    message: 'La solicitud quedó registrada. Debe aprobarla otro administrador.',
  },
  'removal-refused': { type: 'success', message: 'La solicitud se rechazó. No se retiró nada.' },
  'factors-removed': {
    type: 'success',
    message: 'La verificación en dos pasos se retiró y las sesiones se cerraron.',
  },
  'authority-accepted': { type: 'success', message: 'La autoridad cuenta desde ahora.' },
  'authority-removed': { type: 'success', message: 'La autoridad dejó de contar.' },
  'mail-retried': { type: 'success', message: 'El correo se enviará en un momento.' },
  'mail-discarded': { type: 'success', message: 'El correo se descartó.' },
  'provider-added': { type: 'success', message: 'El proveedor se agregó.' },
  'provider-moved': { type: 'success', message: 'El orden quedó cambiado.' },
  'provider-removed': { type: 'success', message: 'El proveedor se retiró.' },
  'constancia-requested': {
    type: 'success',
    message: 'La constancia quedó solicitada. Se agrega en cuanto el prestador la emita.',
  },
  'constancia-policy-changed': { type: 'success', message: 'La política se guardó.' },
  'timestamp-policy-changed': { type: 'success', message: 'La política se guardó.' },
  'policy-changed': { type: 'success', message: 'La política se guardó.' },
  'alert-resolved': { type: 'success', message: 'La alerta quedó como atendida.' },
} satisfies Record<string, FlashText>

/** How long a toast stays, in milliseconds. */
export const NOTICE_DURATION_MS = 5000
export const SESSION_EXPIRED_DURATION_MS = 6000

export const labels = {
  product: 'Rúbrica',
  verifyDocument: 'Verificar Documento',
  signIn: 'Iniciar Sesión',
  signOut: 'Cerrar Sesión',
  myProfile: 'Mi Perfil',
  footer: 'Sistema seguro de firma digital para notarías de México',
  demo: 'Demostración: nada de lo que hay aquí tiene validez',
} as const

/** For whoever may not: the roles are those of `document.sign` in the policy. */
export const WHO_SIGNS = 'Firman los notarios y los abogados o proyectistas de la notaría.'

export const themes = { light: 'Claro', dark: 'Oscuro', system: 'Sistema' } as const

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

export const versionCauses: Record<VersionCause, string> = {
  uploaded: 'original',
  prepared: 'preparada para firma',
  restored: 'original, de nuevo',
  signed: 'firmada',
  archived: 'con prueba de largo plazo',
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
  revoked: 'Revocado',
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

/** As headings and filters: how many stand in it. */
export const userStatesOfMany: Record<UserState, string> = {
  active: 'Activos',
  invited: 'Invitados',
  suspended: 'Suspendidos',
}

export const signingSessionStates: Record<SigningSessionState, string> = {
  draft: 'Borrador',
  open: 'Abierta',
  completed: 'Completada',
  rejected: 'Rechazada',
  cancelled: 'Cancelada',
  expired: 'Vencida',
}

/** What the roles table calls each thing that somebody may do. */
export const actions: Record<Action, string> = {
  'document.read': 'Ver y descargar documentos',
  'document.upload': 'Subir documentos',
  'document.describe': 'Anotar los datos del instrumento de un documento',
  'document.sign': 'Firmar documentos',
  'document.sign-in-session': 'Firmar en las sesiones de firma donde se le nombra',
  'document.export-evidence': 'Descargar paquetes de evidencia',
  'document.request-constancia': 'Solicitar constancias NOM-151',
  'document.cancel': 'Cancelar borradores',
  'signing-sessions.read': 'Ver las sesiones de firma',
  'signing-sessions.manage': 'Crear y dirigir sesiones de firma',
  'certificates.read': 'Ver certificados',
  'users.read-names': 'Ver quién trabaja en la notaría',
  'users.read': 'Ver los datos de las personas',
  'users.read-access': 'Ver sesiones y verificación en dos pasos de otros',
  'users.manage': 'Invitar, cambiar y suspender personas',
  'audit.read': 'Ver la bitácora de la notaría',
  'audit.read-own': 'Ver los eventos propios en la bitácora',
  'alerts.read': 'Ver las alertas propias',
  'alerts.read-office': 'Ver las alertas de la notaría',
  'mail.read': 'Ver los correos de la notaría',
  'mail.read-secret': 'Ver los enlaces secretos de los correos sin enviar',
  'mail.manage': 'Enviar de nuevo y descartar correos',
  'office.read': 'Ver la configuración',
  'office.manage': 'Cambiar la configuración',
  'sessions.read-own': 'Ver las sesiones propias',
  'access-tokens.read-own': 'Ver y revocar los tokens de acceso propios',
  'access-tokens.manage-own': 'Crear tokens de acceso propios',
  'sessions.end-own': 'Cerrar las sesiones propias',
  'factors.read-own': 'Ver la verificación en dos pasos propia',
  'factors.manage-own': 'Cambiar la verificación en dos pasos propia',
  'password.change-own': 'Cambiar la contraseña propia',
  'identity.prove-own': 'Confirmar la identidad propia',
}

/** What an office asks of whoever is about to sign. */
export const presencePolicies = {
  none: 'No se pide',
  required: 'Se pide una llave de seguridad o un código',
} as const

/** Whether somebody without scripts signs at all. */
export const serverSigningPolicies = {
  allowed: 'Permitida: la e.firma se usa en la memoria del servidor, solo durante la firma',
  disabled: 'No permitida',
} as const

/** How somebody showed that they were there when they signed; never called a signature. */
export const presenceMethods = {
  webauthn: 'Presencia comprobada con llave de seguridad',
  totp: 'Presencia comprobada con código de la aplicación',
} as const

/** What the log can be asked about. */
export const auditTopics: Record<AuditTopic, string> = {
  documents: 'Documentos y constancias',
  signing: 'Firmas y sesiones de firma',
  access: 'Accesos y contraseñas',
  people: 'Usuarios y certificados',
  office: 'Notaría, correos y alertas',
}

export const auditActions: Record<AuditAction, string> = {
  'access.refused': 'Acceso negado',
  'access-token.created': 'Token de acceso creado',
  'access-token.revoked': 'Token de acceso revocado',
  'access-token.used': 'Token de acceso usado',
  'activation.created': 'Enlace de activación creado',
  'activation.refused': 'Enlace de activación rechazado',
  'activation.used': 'Enlace de activación usado',
  'alert.raised': 'Alerta emitida',
  'alert.read': 'Alerta leída',
  'alert.resolved': 'Alerta atendida',
  'audit.viewed': 'Consulta de la bitácora',
  'authority.accepted': 'Autoridad de confianza aceptada',
  'authority.offered': 'Autoridad sin aceptar registrada',
  'authority.pinned': 'Autoridad de confianza reconocida',
  'authority.refused': 'Autoridad rechazada',
  'authority.removed': 'Autoridad de confianza retirada',
  'backup-codes.created': 'Códigos de respaldo creados',
  'certificate.added': 'Certificado registrado',
  'constancia.failed': 'Constancia NOM-151 no emitida',
  'constancia.issued': 'Constancia NOM-151 emitida',
  'constancia.requested': 'Constancia NOM-151 solicitada',
  'document.archived': 'Prueba de largo plazo agregada',
  'document.cancelled': 'Documento cancelado',
  'document.described': 'Datos del instrumento anotados',
  'document.downloaded': 'Documento descargado',
  'document.previewed': 'Páginas del documento vistas',
  'document.rejected': 'Documento rechazado',
  'document.signed': 'Documento firmado',
  'document.uploaded': 'Documento subido',
  'document.verified': 'Documento verificado',
  'document.viewed': 'Documento consultado',
  'factors.removal-asked': 'Retiro de la verificación en dos pasos solicitado',
  'factors.removal-refused': 'Retiro de la verificación en dos pasos rechazado',
  'factors.removed': 'Verificación en dos pasos retirada',
  'keys.dropped': 'Llaves de cifrado anteriores borradas',
  'keys.rotated': 'Llave de cifrado renovada',
  'office.changed': 'Notaría modificada',
  'mail.discarded': 'Correo descartado',
  'mail.failed': 'Correo sin enviar',
  'mail.retried': 'Correo puesto a enviar de nuevo',
  'mail.secret-read': 'Enlace secreto de un correo consultado',
  'mail.sent': 'Correo enviado',
  'office.created': 'Notaría creada',
  'password.change-asked': 'Cambio de contraseña solicitado',
  'password.changed': 'Contraseña cambiada',
  'password.refused': 'Cambio de contraseña rechazado',
  'provider.added': 'Proveedor de sellos o constancias agregado',
  'provider.moved': 'Orden de los proveedores cambiado',
  'provider.removed': 'Proveedor de sellos o constancias retirado',
  'presence.proven': 'Presencia comprobada antes de firmar',
  'presence.refused': 'Presencia no comprobada',
  'secret.unreadable': 'Secreto ilegible',
  'session.ended': 'Sesión cerrada',
  'session.password-accepted': 'Contraseña aceptada, falta el segundo paso',
  'session.refreshed': 'Sesión renovada',
  'session.refused': 'Inicio de sesión rechazado',
  'session.reuse-detected': 'Sesión copiada: se cerró',
  'session.second-factor-refused': 'Segundo paso rechazado',
  'session.started': 'Sesión iniciada',
  'session.step-up-refused': 'Confirmación de identidad rechazada',
  'session.stepped-up': 'Identidad confirmada',
  'session.throttled': 'Demasiados intentos de inicio de sesión',
  'signature.prepared': 'Firma preparada',
  'signature.refused': 'Firma rechazada',
  'signer.consented': 'Aviso de privacidad aceptado por un firmante externo',
  'signer.link-created': 'Enlace para firmar creado',
  'signer.link-opened': 'Enlace para firmar abierto',
  'signer.link-refused': 'Enlace para firmar rechazado',
  'signer.link-revoked': 'Enlace para firmar revocado',
  'signer.reminded': 'Recordatorio enviado a un firmante',
  'signer.replaced': 'Firmante sustituido',
  'signing-session.cancelled': 'Sesión de firma cancelada',
  'signing-session.changed': 'Sesión de firma modificada',
  'signing-session.completed': 'Sesión de firma completada',
  'signing-session.created': 'Sesión de firma creada',
  'signing-session.expired': 'Sesión de firma vencida',
  'signing-session.extended': 'Plazo de la sesión de firma ampliado',
  'signing-session.opened': 'Sesión de firma abierta',
  'signing-session.rejected': 'Sesión de firma rechazada',
  'signing-session.viewed': 'Sesión de firma consultada',
  'totp.begun': 'Aplicación de códigos por activar',
  'totp.disabled': 'Aplicación de códigos retirada',
  'totp.enabled': 'Aplicación de códigos activada',
  'totp.refused': 'Código de activación rechazado',
  'user.changed': 'Usuario modificado',
  'user.created': 'Usuario creado',
  'user.reactivated': 'Usuario reactivado',
  'user.suspended': 'Usuario suspendido',
  'webauthn.anomaly': 'Anomalía en una llave de seguridad',
  'webauthn.refused': 'Llave de seguridad rechazada',
  'webauthn.registered': 'Llave de seguridad registrada',
  'webauthn.removed': 'Llave de seguridad retirada',
  'webauthn.renamed': 'Llave de seguridad renombrada',
}
