import { errors } from './errors.ts'

type FlashText = { type: 'success' | 'warning' | 'error' | 'info'; message: string }

/** Messages shown as toast or alert after an action. */
export const flashTexts = {
  'session-expired': { type: 'warning', message: errors.sessionExpired },
  'session-created': {
    type: 'success',
    message: 'La sesión de firma se creó. Agregue a los firmantes y ábrala.',
  },
  'session-to-review': {
    type: 'success',
    message: 'La sesión de firma se creó. Revísela y ábrala.',
  },
  'signer-added': { type: 'success', message: 'El firmante se agregó.' },
  'signer-joined': {
    type: 'success',
    message:
      'Esa persona ya era firmante: se le pide una sola firma, que la nombra en cada uno de sus caracteres.',
  },
  'further-signing-created': {
    type: 'success',
    message: 'La sesión está lista. Agregue a quien falta que firme y ábrala.',
  },
  'session-changed': { type: 'success', message: 'La sesión de firma se guardó.' },
  'signer-removed': { type: 'success', message: 'El firmante se quitó de la sesión.' },
  'signer-restored': { type: 'success', message: 'El firmante está de nuevo en la sesión.' },
  'session-document-removed': {
    type: 'success',
    message: 'El documento se quitó de la sesión.',
  },
  'session-document-restored': {
    type: 'success',
    message: 'El documento está de nuevo en la sesión.',
  },
  'session-not-restored': {
    type: 'warning',
    message: 'No se deshizo: la sesión cambió mientras tanto. Revísela.',
  },
  'session-opened': {
    type: 'success',
    message:
      'La sesión de firma está abierta. A quienes firman primero se les avisa por correo, si lo tienen.',
  },
  'session-extended': { type: 'success', message: 'La fecha límite se cambió.' },
  'session-cancelled': { type: 'success', message: 'La sesión de firma se canceló.' },
  'session-rejected': { type: 'success', message: 'Su rechazo quedó registrado.' },
  'signer-reminded': { type: 'success', message: 'El recordatorio se envió.' },
  'signer-reminder-waits': {
    type: 'warning',
    message:
      'El recordatorio quedó en espera: la notaría no tiene servidor de correo. Avise usted a la persona.',
  },
  'party-changed': { type: 'success', message: 'Los datos de la parte se guardaron.' },
  'party-removed': { type: 'success', message: 'La parte se eliminó del catálogo.' },
  'party-restored': { type: 'success', message: 'La parte está de nuevo en el catálogo.' },
  'party-not-restored': {
    type: 'warning',
    message: 'No se deshizo: mientras tanto se agregó al catálogo otra parte con ese RFC.',
  },
  'document-edited-outside': {
    type: 'warning',
    message:
      'Los datos se guardaron, pero el número está fuera de la secuencia. Revíselo en Números.',
  },
  'checklist-changed': { type: 'success', message: 'La lista de revisión se guardó.' },
  'checklist-added': { type: 'success', message: 'La lista se agregó al documento.' },
  'checklist-removed': { type: 'success', message: 'La lista se quitó del documento.' },
  'checklist-restored': { type: 'success', message: 'La lista está de nuevo en el documento.' },
  'checklist-not-restored': {
    type: 'warning',
    message: 'No se deshizo: el documento cambió mientras tanto. Revise sus listas.',
  },
  'item-checked': { type: 'success', message: 'El punto quedó marcado.' },
  'item-unchecked': { type: 'success', message: 'El punto quedó sin marcar.' },
  'deadline-done': { type: 'success', message: 'Quedó anotado que la obligación se cumplió.' },
  'deadline-not-applicable': {
    type: 'success',
    message: 'Quedó anotado que la obligación no aplica.',
  },
  'deadline-reopened': { type: 'success', message: 'La obligación está de nuevo pendiente.' },
  'obligation-added': { type: 'success', message: 'La obligación se agregó.' },
  'obligation-changed': {
    type: 'success',
    message: 'La obligación se guardó. Sus vencimientos pendientes se cuentan de nuevo.',
  },
  'obligation-off': { type: 'success', message: 'La obligación se apagó.' },
  'obligation-on': { type: 'success', message: 'La obligación se encendió.' },
  'non-working-day-added': { type: 'success', message: 'El día se agregó a los inhábiles.' },
  'non-working-day-removed': { type: 'success', message: 'El día se quitó de los inhábiles.' },
  'calendar-feed-revoked': { type: 'success', message: 'La dirección del calendario ya no sirve.' },
  'number-explained': { type: 'success', message: 'El motivo quedó anotado.' },
  'number-reopened': { type: 'success', message: 'El motivo se quitó.' },
  'series-added': {
    type: 'success',
    message: 'La serie se agregó. Escriba su número siguiente para empezarla.',
  },
  'series-changed': { type: 'success', message: 'La serie se guardó.' },
  'act-added': { type: 'success', message: 'El acto se agregó.' },
  'act-changed': { type: 'success', message: 'El acto se guardó.' },
  'act-retired': { type: 'success', message: 'El acto se retiró.' },
  'act-restored': { type: 'success', message: 'El acto vuelve a usarse.' },
  'signer-replaced': { type: 'success', message: 'El firmante se sustituyó.' },
  'signed-out': { type: 'success', message: 'Su sesión se cerró.' },
  'not-signed-out': {
    type: 'warning',
    message: 'La página había vencido y su sesión sigue abierta. Ciérrela de nuevo.',
  },
  'account-linked': { type: 'success', message: 'La cuenta se agregó: ya puede cambiar a ella.' },
  'account-unlinked': { type: 'success', message: 'La cuenta se quitó.' },
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
  'office-changed': { type: 'success', message: 'Los datos de la notaría se guardaron.' },
  'presence-policy-changed': { type: 'success', message: 'La política de presencia se guardó.' },
  'upload-discarded': { type: 'success', message: 'La subida sin terminar se descartó.' },
  'document-uploaded': { type: 'success', message: 'El documento se guardó.' },
  'privacy-notice-changed': {
    type: 'success',
    message: 'El aviso de privacidad se guardó. Se mostrará a quien todavía no lo haya aceptado.',
  },
  'arco-recorded': { type: 'success', message: 'La solicitud quedó registrada.' },
  'arco-identified': { type: 'success', message: 'La acreditación quedó anotada.' },
  'arco-extended': { type: 'success', message: 'El plazo se amplió.' },
  'arco-answered': { type: 'success', message: 'La respuesta quedó registrada.' },
  'arco-effected': { type: 'success', message: 'La solicitud quedó cerrada.' },
  'arco-package-requested': {
    type: 'success',
    message: 'Los datos se reúnen en segundo plano. El archivo aparece aquí en unos minutos.',
  },
  'arco-terms-changed': {
    type: 'success',
    message: 'Los plazos se guardaron. Valen para las solicitudes que se registren desde ahora.',
  },
  'retention-postponed': { type: 'success', message: 'La baja del documento se aplazó.' },
  'retention-blocked': { type: 'success', message: 'El documento quedó bloqueado.' },
  'retention-destroyed': { type: 'success', message: 'Los archivos del documento se destruyeron.' },
  'retention-terms-changed': { type: 'success', message: 'El plazo de conservación se guardó.' },
  'document-cancelled': { type: 'success', message: 'El documento quedó cancelado.' },
  'document-purged': { type: 'success', message: 'El archivo del documento se eliminó.' },
  'copy-recorded': { type: 'success', message: 'La copia quedó registrada.' },
  'copy-cancelled': { type: 'success', message: 'El registro de la copia quedó cancelado.' },
  'file-replaced': {
    type: 'success',
    message: 'El archivo se reemplazó. La versión anterior se conserva.',
  },
  'document-edited': { type: 'success', message: 'Los datos del documento se guardaron.' },
  'signing-link-over': {
    type: 'warning',
    message:
      'Su enlace ya no sirve: venció, se retiró o se le dio otro. Pida uno nuevo a la notaría.',
  },
  'signing-rejected': {
    type: 'info',
    message:
      'Su rechazo quedó registrado y la notaría recibió el motivo. Puede cerrar esta página.',
  },
  'signing-link-made': { type: 'success', message: 'El enlace quedó listo.' },
  'signing-link-replaced': {
    type: 'success',
    message: 'El enlace nuevo quedó listo. El anterior dejó de servir.',
  },
  'review-outdated': {
    type: 'warning',
    message:
      'La sesión cambió después de que usted la revisó: otra persona, u otra pestaña, la modificó. No se abrió. Revísela otra vez.',
  },
  'signing-link-changed': {
    type: 'warning',
    message:
      'El enlace de esta persona cambió mientras usted veía la página. No se creó otro ni se retiró ninguno: revise el estado y decida de nuevo.',
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
  'lock-lifted': {
    type: 'success',
    message: 'El bloqueo se quitó. La persona ya puede intentar entrar.',
  },
  'no-lock': { type: 'info', message: 'La cuenta ya no tenía ningún bloqueo.' },
  'removal-asked': {
    type: 'info',
    message: 'La solicitud quedó registrada. Debe aprobarla otro administrador.',
  },
  'removal-refused': { type: 'success', message: 'La solicitud se rechazó. No se retiró nada.' },
  'factors-removed': {
    type: 'success',
    message: 'La verificación en dos pasos se retiró y las sesiones se cerraron.',
  },
  'none-chosen': { type: 'warning', message: 'Marque al menos un documento de la lista.' },
  'view-saved': { type: 'success', message: 'La vista quedó guardada.' },
  'view-removed': { type: 'success', message: 'La vista se eliminó.' },
  'view-restored': { type: 'success', message: 'La vista está guardada de nuevo.' },
  'view-not-restored': {
    type: 'warning',
    message:
      'No se deshizo: usted guardó después otra vista con ese nombre, o ya tiene todas las que caben.',
  },
  'documents-cancelled': { type: 'success', message: 'Los borradores quedaron cancelados.' },
  'certificate-known': { type: 'info', message: 'Este certificado ya estaba registrado.' },
  'certificate-good': { type: 'success', message: 'Su emisor respondió: no está revocado.' },
  'certificate-revoked': { type: 'warning', message: 'Su emisor respondió: está revocado.' },
  'certificate-unknown': {
    type: 'warning',
    message: 'Su emisor no respondió. Intente de nuevo más tarde.',
  },
  'certificate-not-askable': {
    type: 'warning',
    message: 'No se conoce dónde preguntar por este certificado.',
  },
  'yubikey-registered': { type: 'success', message: 'La YubiKey quedó en el inventario.' },
  'yubikey-handed-over': {
    type: 'success',
    message: 'La llave quedó entregada. Imprima el acuse y fírmenlo.',
  },
  'yubikey-taken-back': { type: 'success', message: 'La llave volvió al resguardo.' },
  'yubikey-taken-back-blocked': {
    type: 'warning',
    message:
      'La llave volvió al resguardo. Era la única verificación en dos pasos de quien la tenía: entra con un código de respaldo, o se solicita el retiro en su página de Usuarios.',
  },
  'yubikey-lost': {
    type: 'warning',
    message: 'La llave quedó reportada como perdida y ya no abre ninguna cuenta.',
  },
  'yubikey-lost-blocked': {
    type: 'warning',
    message:
      'La llave quedó reportada como perdida y ya no abre ninguna cuenta. Era la única verificación en dos pasos de quien la tenía: entra con un código de respaldo, o se solicita el retiro en su página de Usuarios.',
  },
  'yubikey-retired': { type: 'success', message: 'La llave quedó dada de baja.' },
  'yubikey-retired-blocked': {
    type: 'warning',
    message:
      'La llave quedó dada de baja. Era la única verificación en dos pasos de quien la tenía: entra con un código de respaldo, o se solicita el retiro en su página de Usuarios.',
  },
  'attestation-attached': { type: 'success', message: 'La atestación quedó guardada.' },
  'credential-linked': {
    type: 'success',
    message:
      'La llave de seguridad quedó ligada: si la YubiKey se pierde, deja de abrir la cuenta.',
  },
  'credential-unlinked': {
    type: 'success',
    message: 'La llave de seguridad quedó desligada. Sigue abriendo la cuenta.',
  },
  'certificate-linked': { type: 'success', message: 'El certificado quedó ligado con la llave.' },
  'certificate-unlinked': { type: 'success', message: 'El certificado quedó desligado.' },
  'maker-added': {
    type: 'success',
    message: 'Los certificados del fabricante cuentan desde ahora para las atestaciones.',
  },
  'maker-known': { type: 'info', message: 'Esos certificados ya contaban.' },
  'maker-removed': {
    type: 'success',
    message: 'El certificado ya no cuenta para las atestaciones.',
  },
  'certificate-registered': { type: 'success', message: 'Su certificado quedó registrado.' },
  'authority-accepted': { type: 'success', message: 'La autoridad ya es de confianza.' },
  'authority-removed': { type: 'success', message: 'La autoridad dejó de ser de confianza.' },
  'mail-retried': { type: 'success', message: 'Reenvío programado: el correo sale en un momento.' },
  'mail-discarded': { type: 'success', message: 'El correo se descartó.' },
  'provider-added': { type: 'success', message: 'El proveedor se agregó.' },
  'provider-moved': { type: 'success', message: 'El orden quedó cambiado.' },
  'provider-removed': { type: 'success', message: 'El proveedor se retiró.' },
  'constancia-requested': {
    type: 'success',
    message: 'La constancia quedó solicitada. Se agrega en cuanto el prestador la emita.',
  },
  'pictures-changed': {
    type: 'success',
    message: 'Se guardó si las páginas se muestran en la consulta pública.',
  },
  'picture-consent-changed': { type: 'success', message: 'Su decisión quedó registrada.' },
  'stamp-placed': { type: 'success', message: 'El lugar de la firma se guardó.' },
  'public-lookup-changed': { type: 'success', message: 'La consulta pública se cambió.' },
  'constancia-policy-changed': { type: 'success', message: 'La política se guardó.' },
  'timestamp-policy-changed': { type: 'success', message: 'La política se guardó.' },
  'provider-cost-changed': { type: 'success', message: 'El costo por constancia se guardó.' },
  'report-requested': {
    type: 'success',
    message: 'El reporte quedó pedido. Su archivo aparece aquí cuando esté listo.',
  },
  'report-discarded': { type: 'success', message: 'El reporte se descartó.' },
  'mail-server-set': {
    type: 'success',
    message: 'El servidor de correo se guardó. Pruébelo con un correo a su dirección.',
  },
  'mail-server-removed': { type: 'success', message: 'El servidor de correo se quitó.' },
  'capacity-document-added': { type: 'success', message: 'El documento se guardó.' },
  'policies-changed': { type: 'success', message: 'Las políticas se guardaron.' },
  'policy-changed': { type: 'success', message: 'La política se guardó.' },
  'alert-mail-chosen': {
    type: 'success',
    message: 'Se guardó cómo recibirá las alertas por correo.',
  },
  'page-not-allowed': {
    type: 'warning',
    message: 'No tiene permisos para realizar esta acción. Por eso está en el Dashboard.',
  },
  'alerts-read': { type: 'success', message: 'Las alertas quedaron como leídas.' },
  'some-alerts-read': {
    type: 'info',
    message: 'Las alertas más recientes quedaron como leídas. Quedan otras: márquelas también.',
  },
  'alert-resolved': { type: 'success', message: 'La alerta quedó como atendida.' },
  'alert-reopened': { type: 'success', message: 'La alerta está pendiente de nuevo.' },
  'alert-not-reopened': {
    type: 'warning',
    message: 'No se deshizo: la alerta se atendió otra vez mientras tanto.',
  },
  'undo-too-late': { type: 'warning', message: 'Ya pasó el tiempo para deshacer.' },
} satisfies Record<string, FlashText>

/** How long a toast stays, in milliseconds. */
export const NOTICE_DURATION_MS = 5000
export const UNDO_DURATION_MS = 10_000
export const SESSION_EXPIRED_DURATION_MS = 6000

/** Messages about a number of an instrument, which they say. */
export const numberTexts = {
  'number-taken': (number) => ({
    type: 'success',
    message: `El número ${number} quedó en el documento.`,
  }),
  'number-outside': (number) => ({
    type: 'warning',
    message: `El número ${number} quedó en el documento, pero está fuera de la secuencia. Revíselo en Números.`,
  }),
  'number-reserved': (number) => ({
    type: 'success',
    message: `El número ${number} quedó apartado.`,
  }),
} satisfies Record<string, (number: string) => FlashText>
