import type {
  ConstanciaPolicy,
  PublicDownloads,
  PublicNames,
  TimestampPolicy,
} from '#server/domain/identity/office.ts'
import type {
  PolicyConflict,
  PolicyFact,
  PolicyName,
} from '#server/domain/offices/office-policies.ts'
import { quoted } from './quoted.ts'
import { reportSchedules } from './reports.ts'
import { presencePolicies, reminderPolicies, serverSigningPolicies } from './signing.ts'

/* The policies of an office, es-MX. */

/** What happens to a signature if no timestamp is available. */
export const timestampPolicies: Record<TimestampPolicy, string> = {
  required: 'Sin sello de tiempo no se firma: la firma se rechaza y no se guarda nada',
  later: 'Se firma, y el sello de tiempo se agrega después',
  none: 'Se firma sin sello de tiempo, y las pruebas a largo plazo de los documentos ya firmados dejan de renovarse',
}

/** When a constancia is requested. */
export const constanciaPolicies: Record<ConstanciaPolicy, string> = {
  none: 'Solo cuando alguien la solicita en el documento',
  'at-completion': 'De cada documento, en cuanto todos firmaron',
}

/** How the public page shows the names of the parties. */
export const publicNames: Record<PublicNames, string> = {
  masked: 'Ocultos: M**** N****',
  initials: 'Solo iniciales: M. N.',
}

/** Whether the public page offers files. */
export const publicDownloads: Record<PublicDownloads, string> = {
  allowed: 'Se ofrecen',
  disabled: 'No se ofrecen',
}

/** Each policy as the log and the settings name it. */
const policyTitles: Record<PolicyName, string> = {
  timestampPolicy: 'Sello de tiempo al firmar',
  constanciaPolicy: 'Constancias NOM-151',
  reminders: 'Recordatorios automáticos',
  reportSchedule: 'Reportes de cada mes',
  presence: 'Presencia al firmar',
  serverSigning: 'Firma en el servidor',
  secondFactorGrace: 'Verificación en dos pasos',
  uploadLimit: 'Tamaño de los documentos',
  sessionIdle: 'Sesión sin actividad',
  sessionAbsolute: 'Sesión continua',
  publicNames: 'Nombres en la página pública',
  publicDownloads: 'Descargas en la página pública',
}

const CONFLICTS: Record<PolicyConflict['code'], string> = {
  'server-signing-without-second-factor':
    'La firma en el servidor y una verificación en dos pasos que no se exige no van juntas: bastaría una contraseña para llegar a donde se envían claves privadas. Exija la verificación en dos pasos, o no permita la firma en el servidor.',
  'idle-beyond-absolute':
    'Una sesión sin actividad no puede durar más que la sesión continua. Elija un plazo menor, o alargue antes la sesión continua.',
}

/** Why two policies cannot hold together, and how to go on. */
export const conflictText = ({ code }: Pick<PolicyConflict, 'code'>): string => CONFLICTS[code]

/** For a form whose policy was changed while its page was open. */
export const staleText = (now: string): string =>
  `Mientras esta página estaba abierta, alguien cambió esta política: ahora es ${quoted(now)}. Su elección sigue aquí y no se ha guardado; revísela y guarde de nuevo.`

const HOUR = 3_600_000

const GRACE_TEXT = (value: PolicyFact) => {
  if (typeof value !== 'number') return 'no se exige'
  if (value === 0) return 'se exige desde el primer acceso'
  const hours = Math.round(value / HOUR)
  return hours % 24 === 0 ? `se exige a los ${hours / 24} días` : `se exige a las ${hours} horas`
}

const among = (words: Readonly<Record<string, string>>) => (value: PolicyFact) =>
  words[String(value)] ?? String(value)

const TEXTS: Record<PolicyName, (value: PolicyFact) => string> = {
  timestampPolicy: among(timestampPolicies),
  constanciaPolicy: among(constanciaPolicies),
  reminders: among(reminderPolicies),
  reportSchedule: among(reportSchedules),
  presence: among(presencePolicies),
  serverSigning: among(serverSigningPolicies),
  secondFactorGrace: GRACE_TEXT,
  uploadLimit: (value) => `${Math.round(Number(value) / 1_048_576)} MB`,
  sessionIdle: (value) => `${Math.round(Number(value) / 60_000)} minutos`,
  sessionAbsolute: (value) => `${Math.round(Number(value) / HOUR)} horas`,
  publicNames: among(publicNames),
  publicDownloads: among(publicDownloads),
}

/** A policy as the settings show it. */
export const policyText = (name: PolicyName, value: PolicyFact): string => TEXTS[name](value)

const BEFORE = 'Before'

/**
 * What an event of the log says about policies: `Recordatorios automáticos, de “No se envían” a “A los 3 días”`. Empty if
 * it says nothing that we know.
 */
export function policyChangesText(details: Readonly<Record<string, PolicyFact>>): string {
  return Object.keys(details)
    .filter((name) => !name.endsWith(BEFORE) && `${name}${BEFORE}` in details)
    .flatMap((name) => {
      const told = toldFact(name)
      if (!told) return []
      const [before, after] = [details[`${name}${BEFORE}`] ?? null, details[name] ?? null]
      return [`${told.title}, de ${quoted(told.text(before))} a ${quoted(told.text(after))}`]
    })
    .join('; ')
}

function toldFact(name: string): { title: string; text(value: PolicyFact): string } | undefined {
  if (!(name in TEXTS)) return undefined
  const known = name as keyof typeof TEXTS
  return { title: policyTitles[known], text: TEXTS[known] }
}
