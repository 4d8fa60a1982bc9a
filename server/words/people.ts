import type { AccountLock } from '#server/domain/identity/attempts/account-lock.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { Capacity, User, UserState } from '#server/domain/identity/user.ts'
import type { Action } from '#server/domain/policy/authorize.ts'

/* Words for the domain's values about people, es-MX. */

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

/** `Administrador, Notario titular`: only notaries have a capacity. */
export const rolesOf = ({ roles: held, capacity }: Pick<User, 'roles' | 'capacity'>): string =>
  held
    .map((role) =>
      role === 'NOTARY' && capacity
        ? `${roles[role]} ${capacities[capacity].toLowerCase()}`
        : roles[role],
    )
    .join(', ')

export const userStates: Record<UserState, string> = {
  invited: 'Invitado',
  active: 'Activo',
  suspended: 'Suspendido',
}

/** Plural, for headings and filters. */
export const userStatesOfMany: Record<UserState, string> = {
  active: 'Activos',
  invited: 'Invitados',
  suspended: 'Suspendidos',
}

/** The rows of the table of roles: each action of the policy. */
export const actions: Record<Action, string> = {
  'document.read': 'Ver y descargar documentos',
  'document.upload': 'Subir documentos',
  'document.describe': 'Editar el título, el tipo y los datos del instrumento de un borrador',
  'document.sign': 'Firmar documentos',
  'document.sign-in-session': 'Firmar en las sesiones de firma donde se le nombra',
  'document.export-evidence': 'Descargar paquetes de evidencia',
  'document.request-constancia': 'Solicitar constancias NOM-151',
  'document.cancel': 'Cancelar borradores',
  'document.withdraw-own': 'Retirar un borrador propio que no se ha enviado a firma',
  'document.record-copy': 'Registrar las copias que se expiden de un documento',
  'document.cancel-copy': 'Cancelar el registro de una copia expedida',
  'document.read-blocked': 'Ver documentos bloqueados por terminar su plazo de conservación',
  'retention.read': 'Ver los documentos cuyo plazo de conservación terminó',
  'retention.decide': 'Bloquear, aplazar y destruir documentos cuyo plazo terminó',
  'document.replace-file': 'Reemplazar el archivo de un borrador',
  'document.purge': 'Eliminar el archivo de un documento que se subió por error',
  'document.place-stamp': 'Elegir dónde se ven las firmas de un documento que llegó firmado',
  'document.set-public-pictures':
    'Mostrar y ocultar las páginas de un documento en la consulta pública',
  'document.set-public-lookup': 'Apagar y encender la consulta pública de un documento',
  'document.check': 'Marcar los puntos de la lista de revisión de un documento',
  'checklists.manage': 'Escribir la lista de revisión de cada acto',
  'numbers.read': 'Ver los números de instrumentos y cuáles faltan',
  'numbers.reserve': 'Apartar números de instrumentos',
  'numbers.explain': 'Anotar por qué un número quedó sin usar',
  'number-series.manage': 'Decidir el número siguiente y el libro de cada serie',
  'obligations.read': 'Ver las obligaciones de la notaría y sus vencimientos',
  'obligations.mark': 'Anotar que una obligación se cumplió o no aplica',
  'obligations.manage': 'Cambiar las obligaciones, sus plazos y los días inhábiles',
  'reports.read': 'Ver y exportar los reportes de la notaría',
  'reports.read-people': 'Ver y exportar la actividad y los accesos de cada persona',
  'signing-sessions.read': 'Ver las sesiones de firma',
  'signing-sessions.reject': 'Rechazar la firma en las sesiones donde se le nombra',
  'signing-sessions.manage': 'Crear y dirigir sesiones de firma',
  'certificates.read': 'Ver certificados',
  'certificates.register-own': 'Registrar el propio certificado',
  'users.read-names': 'Ver quién trabaja en la notaría',
  'users.read': 'Ver los datos de las personas',
  'users.read-access': 'Ver sesiones y verificación en dos pasos de otros',
  'users.manage': 'Invitar, cambiar y suspender personas',
  'document-views.manage-own': 'Guardar vistas propias de la lista de documentos',
  'yubikeys.read': 'Ver las YubiKeys de la notaría',
  'yubikeys.read-own': 'Ver las YubiKeys que tiene',
  'yubikeys.manage': 'Registrar, entregar y retirar YubiKeys',
  'yubikeys.manage-own': 'Reportar perdida la YubiKey que tiene y ligar sus llaves de seguridad',
  'alerts.manage-own': 'Elegir cómo le llegan las alertas por correo',
  'audit.read': 'Ver la bitácora de la notaría',
  'audit.read-own': 'Ver los eventos propios en la bitácora',
  'alerts.read': 'Ver las alertas propias',
  'alerts.read-office': 'Ver las alertas de la notaría',
  'mail.read': 'Ver los correos de la notaría',
  'mail.read-secret': 'Ver los enlaces secretos de los correos sin enviar',
  'mail.manage': 'Enviar de nuevo y descartar correos',
  'arco.read': 'Ver las solicitudes ARCO',
  'arco.record': 'Registrar solicitudes ARCO y cómo se acreditó la identidad',
  'arco.answer': 'Responder solicitudes ARCO y reunir los datos de quien las hace',
  'consents.read': 'Ver y exportar los consentimientos',
  'office.read': 'Ver la configuración',
  'office.manage': 'Cambiar la configuración',
  'sessions.read-own': 'Ver las sesiones propias',
  'accounts.read-own': 'Ver y separar las cuentas propias en otras notarías',
  'accounts.link-own': 'Enlazar una cuenta propia en otra notaría',
  'accounts.switch-own': 'Cambiar a la cuenta propia en otra notaría',
  'access-tokens.read-own': 'Ver y revocar los tokens de acceso propios',
  'access-tokens.manage-own': 'Crear tokens de acceso propios',
  'calendar-feed.read-own': 'Ver y revocar la dirección del calendario propio',
  'calendar-feed.manage-own': 'Crear la dirección del calendario propio',
  'sessions.end-own': 'Cerrar las sesiones propias',
  'factors.read-own': 'Ver la verificación en dos pasos propia',
  'factors.manage-own': 'Cambiar la verificación en dos pasos propia',
  'password.change-own': 'Cambiar la contraseña propia',
  'identity.prove-own': 'Confirmar la identidad propia',
}

const LOCKED_STEPS: Record<AccountLock['step'], string> = {
  password: 'la contraseña',
  'second-factor': 'el segundo paso',
}

/** Which attempts are refused, of the person whose page shows it. */
export function sentenceOfLock({ step, from, count }: AccountLock): string {
  const failed = `Hubo demasiados intentos con ${LOCKED_STEPS[step]} equivocad${step === 'password' ? 'a' : 'o'}`
  switch (from) {
    case 'device':
      return count === 1
        ? `${failed} en un equipo donde ya había entrado. Ahí debe esperar.`
        : `${failed} en ${count} equipos donde ya había entrado. Ahí debe esperar.`
    case 'network':
      return count === 1
        ? `${failed} en un equipo nuevo. Los equipos nuevos de esa red deben esperar.`
        : `${failed} en equipos nuevos de ${count} redes. Los equipos nuevos de esas redes deben esperar.`
    case 'anywhere':
      return `${failed} en muchos equipos nuevos. Todos los equipos nuevos deben esperar.`
  }
}

const userFields: Record<string, string> = {
  firstName: 'nombre',
  lastName: 'apellidos',
  email: 'correo electrónico',
  rfc: 'RFC',
  curp: 'CURP',
  roles: 'roles',
  capacity: 'calidad',
  capacityOf: 'a quién suple',
  capacityFrom: 'inicio de la calidad',
  capacityTo: 'término de la calidad',
  alertMail: 'alertas por correo',
  documentViews: 'vistas de documentos',
}

/** What of an account an event or alert says was changed: `correo electrónico, roles`. Empty if it names nothing known. */
export const changedFields = (changed: unknown): string =>
  String(changed ?? '')
    .split(',')
    .flatMap((field) => userFields[field] ?? [])
    .join(', ')
