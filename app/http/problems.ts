import { data } from 'react-router'
import type { PasswordWeakness } from '#server/domain/identity/password.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import type { Duration } from '#server/domain/time.ts'
import { sentenceOfWeakness } from '#server/words/password.ts'

type Answer = { status: number; sentence: string; headers?: Record<string, string> }

const FORBIDDEN = 'No tiene permisos para realizar esta acción.'
const NOT_FOUND = 'El recurso solicitado no fue encontrado.'

/** What a browser hears of each refusal: the status and one es-MX sentence. */
const ANSWERS: Record<ProblemCode, Answer> = {
  'not-signed-in': {
    status: 401,
    sentence: 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
  },
  forbidden: { status: 403, sentence: FORBIDDEN },
  'not-found': { status: 404, sentence: NOT_FOUND },
  'cross-site': {
    status: 403,
    sentence:
      'La página venció mientras estaba abierta. No se guardó nada; recárguela e intente de nuevo.',
  },
  'too-many-attempts': {
    status: 429,
    sentence: 'Hubo demasiados intentos. Espere unos minutos e intente de nuevo.',
  },
  'password-change-needed': {
    status: 403,
    sentence: 'Antes de continuar, elija una contraseña nueva.',
  },
  'second-factor-needed': {
    status: 403,
    sentence: 'Antes de continuar, configure la verificación en dos pasos.',
  },
  'step-up-needed': {
    status: 403,
    sentence: 'Antes de continuar, confirme su identidad.',
  },
  'link-spent': {
    status: 410,
    sentence: 'El enlace ya se usó o venció. Pida uno nuevo al administrador de su notaría.',
  },
  'weak-password': {
    status: 422,
    sentence:
      'La contraseña es fácil de adivinar. Elija otra, por ejemplo cuatro palabras sin relación.',
  },
  'wrong-password': {
    status: 422,
    sentence: 'La contraseña actual no es correcta. Escríbala de nuevo.',
  },
  'wrong-code': {
    status: 401,
    sentence: 'El código no es correcto o ya se usó. Espere el siguiente e intente de nuevo.',
  },
  'factor-refused': {
    status: 401,
    sentence: 'La llave de seguridad no se aceptó. Use otra llave o un código.',
  },
  'last-factor': {
    status: 409,
    sentence:
      'Es su única verificación en dos pasos y la notaría la exige. Agregue otra antes de quitarla.',
  },
  'second-person-needed': {
    status: 409,
    sentence: 'Debe hacerlo otro administrador.',
  },
  'secret-unreadable': {
    status: 401,
    sentence: 'No se pudo comprobar el código. Avise al administrador de su notaría.',
  },
  'account-state': {
    status: 409,
    sentence: 'El estado de la cuenta ya no permite esta acción. Revise su página.',
  },
  'address-taken': {
    status: 409,
    sentence: 'Ya existe una cuenta con ese correo electrónico. Escriba otro.',
  },
  'last-administrator': {
    status: 409,
    sentence:
      'La notaría se quedaría sin un administrador activo. Dé antes ese rol a otra persona.',
  },
  'office-taken': {
    status: 409,
    sentence: 'Otra notaría de este sistema tiene ese número en esa entidad federativa.',
  },
  'mail-state': {
    status: 409,
    sentence: 'El correo ya se envió, se descartó o venció, o se está enviando. Revise su página.',
  },
  'bad-request': {
    status: 400,
    sentence: 'La solicitud llegó incompleta o dañada. No se guardó nada; intente de nuevo.',
  },
  'too-large': {
    status: 413,
    sentence: 'Lo enviado supera el tamaño permitido. No se guardó nada.',
  },
  'wrong-state': {
    status: 409,
    sentence: 'El estado del documento no permite esta acción. Revise su página.',
  },
  'stale-version': {
    status: 409,
    sentence:
      'El documento cambió mientras usted lo tenía abierto. Revise la versión actual y firme de nuevo.',
  },
  'someone-signing': {
    status: 409,
    sentence: 'Otra persona está firmando este documento. Espere dos minutos e intente de nuevo.',
  },
  'authority-for-testing': {
    status: 409,
    sentence:
      'Esa autoridad es solo para pruebas: fuera de la demostración no se puede confiar en ella.',
  },
  'too-many-files': {
    status: 422,
    sentence: 'Un envío admite hasta 100 archivos. No se guardó; súbalo en otro envío.',
  },
  'title-missing': {
    status: 422,
    sentence: 'Escriba el título del documento, hasta 200 letras.',
  },
  'empty-file': { status: 422, sentence: 'El archivo está vacío. Elija el PDF del documento.' },
  'not-a-pdf': { status: 422, sentence: 'El archivo no es un PDF. Elija el PDF del documento.' },
  'damaged-pdf': {
    status: 422,
    sentence:
      'El PDF está dañado o incompleto y no se puede leer. Guárdelo de nuevo y súbalo otra vez.',
  },
  'encrypted-pdf': {
    status: 422,
    sentence: 'El PDF está protegido con contraseña. Guárdelo sin protección y súbalo otra vez.',
  },
  'private-key-uploaded': {
    status: 422,
    sentence:
      'Es la clave privada de una e.firma, no un documento. No se guardó: no la comparta con nadie.',
  },
  'certificate-uploaded': {
    status: 422,
    sentence: 'Es un certificado (.cer), no un documento. Elija el PDF del documento.',
  },
  'pdf-too-complex': {
    status: 422,
    sentence:
      'El PDF es demasiado complejo para procesarlo. Guárdelo de nuevo desde su programa de origen.',
  },
  'signing-forbidden-by-document': {
    status: 409,
    sentence: 'El documento no admite más firmas: lo impide una firma que ya contiene.',
  },
  'stored-file-damaged': {
    status: 500,
    sentence:
      'El archivo guardado de este documento ya no es el que se registró, por lo que no se puede firmar. Avise al administrador del sistema: debe recuperarlo de un respaldo.',
  },
  'signature-refused': {
    status: 422,
    sentence:
      'La firma no corresponde a lo que se iba a firmar. No se guardó nada; intente de nuevo.',
  },
  'preparation-expired': {
    status: 409,
    sentence:
      'Pasó demasiado tiempo desde que empezó a firmar. No se guardó nada; intente de nuevo.',
  },
  'preparation-superseded': {
    status: 409,
    sentence:
      'Usted empezó a firmar este documento en otra ventana. No se guardó nada; intente de nuevo.',
  },
  'presence-needed': {
    status: 403,
    sentence:
      'Antes de firmar, confirme su presencia. No se guardó nada; recargue la página para hacerlo.',
  },
  'server-signing-disabled': {
    status: 403,
    sentence:
      'Esta notaría no permite firmar sin scripts. Firme con scripts o consulte al administrador.',
  },
  'timestamp-unavailable': {
    status: 503,
    sentence:
      'Ninguna autoridad dio el sello de tiempo que esta notaría exige. No se guardó nada; intente de nuevo en unos minutos.',
  },
  'no-constancia-provider': {
    status: 409,
    sentence:
      'La notaría no tiene un proveedor de constancias. El administrador lo agrega en Configuración.',
  },
  'provider-refused': {
    status: 409,
    sentence:
      'No se agregó: ya hay un proveedor con esa dirección o hay demasiados, o la contraseña viajaría sin cifrar.',
  },
  'session-state': {
    status: 409,
    sentence: 'El estado de la sesión de firma ya no permite esta acción. Revise su página.',
  },
  'session-overdue': {
    status: 409,
    sentence: 'El plazo para firmar venció. Pida a la notaría que lo amplíe.',
  },
  'session-over': {
    status: 409,
    sentence:
      'La sesión de firma terminó: se canceló o un firmante la rechazó. Ya nadie firma en ella.',
  },
  'session-deadline': {
    status: 422,
    sentence: 'La fecha límite ya pasó. Elija una posterior.',
  },
  'session-incomplete': {
    status: 422,
    sentence: 'A la sesión le falta al menos un documento o un firmante.',
  },
  'too-many-access-tokens': {
    status: 409,
    sentence:
      'Puede tener hasta 20 tokens de acceso vigentes. Revoque uno que ya no use para crear otro.',
  },
  'too-many-signers': { status: 422, sentence: 'Una sesión admite hasta 40 firmantes.' },
  'too-many-documents': { status: 422, sentence: 'Una sesión admite hasta 500 documentos.' },
  'not-a-signer': {
    status: 403,
    sentence:
      'El documento está en una sesión de firma en la que usted no es firmante, o ya no lo es.',
  },
  'not-your-turn': {
    status: 409,
    sentence: 'Todavía no es su turno: antes deben firmar otras personas. Se le avisará.',
  },
  'already-signed': { status: 409, sentence: 'Usted ya firmó este documento.' },
  'document-held': {
    status: 409,
    sentence: 'Uno de los documentos ya está en otra sesión de firma o no se puede firmar.',
  },
  'signing-link-spent': {
    status: 410,
    sentence:
      'El enlace no se puede abrir: ya se abrió en otro navegador, venció o se retiró. Pida un enlace nuevo a la notaría.',
  },
  'signing-link-over': {
    status: 410,
    sentence:
      'Su enlace ya no sirve: venció, se retiró o se le dio otro. Pida uno nuevo a la notaría.',
  },
  'consent-needed': {
    status: 403,
    sentence: 'Antes de continuar, lea el aviso de privacidad y confirme que está de acuerdo.',
  },
  'reminded-already': {
    status: 429,
    sentence: 'Ya se le envió un recordatorio hace menos de doce horas.',
  },
  'no-address': {
    status: 409,
    sentence: 'No hay un correo electrónico a donde escribirle. Muéstrele un enlace en pantalla.',
  },
}

/** What the error page shows; only ours ever reach it. */
export type ShownProblem = { code: ProblemCode; sentence: string }

export function answerTo(problem: Problem): Answer {
  const answer = ANSWERS[problem.code]
  if (problem.code === 'weak-password' && problem.kind)
    return { ...answer, sentence: sentenceOfWeakness(problem.kind as PasswordWeakness) }
  if (problem.code === 'stored-file-damaged' && problem.kind)
    return {
      ...answer,
      sentence: answer.sentence.replace('de este documento', `del documento ${problem.kind}`),
    }
  return problem.retryAfter === undefined ? answer : waiting(answer, problem.retryAfter)
}

/** The sentence of a refusal that was kept by its code; undefined for what is none of ours. */
export const sentenceOfCode = (code: string): string | undefined =>
  Object.hasOwn(ANSWERS, code) ? ANSWERS[code as ProblemCode].sentence : undefined

/** @see RFC 9110, 10.2.3 */
function waiting({ status }: Answer, retryAfter: Duration): Answer {
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  return {
    status,
    sentence: `Hubo demasiados intentos. Espere ${waitInWords(seconds)} e intente de nuevo.`,
    headers: { 'Retry-After': String(seconds) },
  }
}

function waitInWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'un segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'un minuto' : `${minutes} minutos`
}

/** Waits for a use case; a refusal becomes the error page with its status and sentence. */
export async function answering<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { sentence, ...init } = answerTo(error)
    throw data({ code: error.code, sentence } satisfies ShownProblem, init)
  }
}

/** Waits for a use case whose refusal is shown in the form itself, beside what was typed. */
export async function refusalOf<T>(
  work: Promise<T>,
): Promise<{ ok: true; value: T } | ({ ok: false; code: ProblemCode } & Answer)> {
  try {
    return { ok: true, value: await work }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ok: false, code: error.code, ...answerTo(error) }
  }
}
