import type { PasswordWeakness } from '#server/domain/identity/password.ts'
import type { Problem, ProblemCode } from '#server/domain/problem.ts'
import type { Duration } from '#server/domain/time.ts'
import { sentenceOfWeakness } from './password.ts'
import { BEING_SIGNED, NEVER_COMPLETED } from './verification/unfinished.ts'

/** What was refused and what to do, es-MX, in one line. */
export function sentenceOfProblem({
  code,
  kind,
  retryAfter,
}: Pick<Problem, 'code' | 'kind' | 'retryAfter'>): string {
  const sentence = SENTENCES[code]
  if (code === 'weak-password' && kind) return sentenceOfWeakness(kind as PasswordWeakness)
  if (code === 'stored-file-damaged' && kind)
    return sentence.replace('de este documento', `del documento ${kind}`)
  if (code === 'nothing-to-copy' && (kind === 'cancelled' || kind === 'rejected'))
    return NEVER_TO_COPY
  if (code === 'verification-busy')
    return sentence.replace('unos minutos', () => waitOf(retryAfter))
  if (code !== 'too-many-attempts') return sentence
  return waiting(kind === 'crowd' ? CROWD : ATTEMPTS, retryAfter)
}

const NEVER_TO_COPY =
  'Este documento terminó sin reunir todas sus firmas: de él no se registran copias.'

/** The sentence for a stored refusal code; undefined for an unknown code. */
export const sentenceOfCode = (code: string): string | undefined =>
  Object.hasOwn(SENTENCES, code) ? SENTENCES[code as ProblemCode] : undefined

const SENTENCES: Record<ProblemCode, string> = {
  'not-signed-in': 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
  forbidden: 'No tiene permisos para realizar esta acción.',
  'not-found': 'El recurso solicitado no fue encontrado.',
  'cross-site':
    'La página venció mientras estaba abierta. No se guardó nada; recárguela e intente de nuevo.',
  'too-many-attempts': 'Hubo demasiados intentos. Espere unos minutos e intente de nuevo.',
  'password-change-needed': 'Antes de continuar, elija una contraseña nueva.',
  'second-factor-needed': 'Antes de continuar, configure la verificación en dos pasos.',
  'step-up-needed': 'Antes de continuar, confirme su identidad.',
  'link-spent': 'El enlace ya se usó o venció. Pida uno nuevo al administrador de su notaría.',
  'weak-password':
    'La contraseña es fácil de adivinar. Elija otra, por ejemplo cuatro palabras sin relación.',
  'wrong-password': 'La contraseña actual no es correcta. Escríbala de nuevo.',
  'wrong-code': 'El código no es correcto o ya se usó. Espere el siguiente e intente de nuevo.',
  'factor-refused': 'La llave de seguridad no se aceptó. Use otra llave o un código.',
  'last-factor':
    'Es su única verificación en dos pasos y la notaría la exige. Agregue otra antes de quitarla.',
  'second-person-needed': 'Debe hacerlo otro administrador.',
  'secret-unreadable': 'No se pudo comprobar el código. Avise al administrador de su notaría.',
  'account-state': 'El estado de la cuenta ya no permite esta acción. Revise su página.',
  'view-name-taken': 'Usted ya tiene una vista con ese nombre. Escriba otro.',
  'too-many-views': 'Usted ya guarda todas las vistas que caben. Elimine una para guardar otra.',
  'address-taken': 'Ya existe una cuenta con ese correo electrónico. Escriba otro.',
  'last-administrator':
    'La notaría se quedaría sin un administrador activo. Dé antes ese rol a otra persona.',
  'office-taken': 'Otra notaría de este sistema tiene ese número en esa entidad federativa.',
  'mail-state':
    'El correo ya se envió, se descartó o venció, o se está enviando. Revise su página.',
  'bad-request': 'La solicitud llegó incompleta o dañada. No se guardó nada; intente de nuevo.',
  'report-under-way':
    'Ya pidió un reporte que todavía no está listo. Espere a que termine o descártelo.',
  'report-too-long':
    'El reporte es demasiado largo para hacerlo en el momento. Elija un periodo más corto o prepárelo como archivo.',
  'archive-too-large':
    'Los archivos elegidos son demasiado grandes para descargarlos juntos. Elija menos documentos.',
  'too-large': 'Lo enviado supera el tamaño permitido. No se guardó nada.',
  'verification-busy':
    'En este momento no se pueden verificar más archivos. No se guardó nada; espere unos minutos e intente de nuevo.',
  'too-slow':
    'El envío se detuvo o llegaba demasiado despacio. No se guardó nada; revise su conexión e intente de nuevo.',
  'disk-full':
    'El servidor ya no tiene espacio en el disco. No se guardó nada; avise al administrador del sistema e intente de nuevo cuando haya espacio.',
  'log-busy':
    'En este momento hay demasiadas solicitudes y esta no pudo anotarse en la bitácora. No se hizo nada; espere unos segundos e intente de nuevo.',
  'database-unreachable':
    'La base de datos no responde. Espere un momento y, antes de repetir lo último, revise si ya está hecho. Si sigue así, avise al administrador del sistema.',
  'commit-unknown':
    'Se perdió la conexión con la base de datos y no se sabe si lo último se guardó. Espere unos segundos y, antes de repetirlo, revise si ya está hecho.',
  'files-unreachable':
    'El almacén de los archivos no responde. No se guardó nada; espere un momento e intente de nuevo. Si sigue así, avise al administrador del sistema.',
  'wrong-state': 'El estado del documento no permite esta acción. Revise su página.',
  'stale-version':
    'El documento cambió mientras usted lo tenía abierto. Revise la versión actual y firme de nuevo.',
  'nothing-to-copy':
    'Todavía no se puede registrar una copia de este documento: le faltan firmas. Podrá hacerlo cuando todos los firmantes hayan firmado.',
  'document-blocked':
    'Este documento está bloqueado: terminó su plazo de conservación. Pida a un notario o a un administrador lo que necesite de él.',
  'retention-state':
    'El documento ya no está en ese estado, o su plazo de bloqueo no ha terminado. Revise la lista.',
  'retention-same-person':
    'Usted lo bloqueó: debe destruirlo otra persona, un notario o un administrador.',
  'arco-day-ahead': 'Ese día todavía no llega. Escriba hoy o un día anterior.',
  'arco-unproven':
    'Antes hay que anotar cómo acreditó su identidad la persona. Sin eso, solo puede responderse que no procede.',
  'arco-reason-missing': 'Escriba por qué no procede, o en qué parte no, y qué ley lo dice.',
  'arco-rfc-missing':
    'La solicitud no tiene un RFC propio de la persona: sin él no se distinguen sus datos de los de otras.',
  'arco-state':
    'El estado de la solicitud no permite esta acción, o alguien la cambió mientras tanto. Revise su página.',
  'copy-day-ahead': 'Ese día todavía no llega. Escriba el día en que se expidió la copia.',
  'copy-ordinal-taken':
    'Mientras usted escribía se registró otra copia de este tipo y el número cambió. No se guardó nada: revise el número y guarde de nuevo.',
  'description-changed':
    'Los datos del documento cambiaron mientras usted los editaba. No se guardó nada.',
  'file-changed':
    'El archivo del documento cambió mientras usted lo tenía abierto. No se guardó nada: vea la versión actual y, si hace falta, elija su archivo de nuevo.',
  'same-file': 'Ese archivo ya es la versión actual del documento. No hay nada que reemplazar.',
  'someone-signing':
    'Otra persona está firmando este documento. Espere dos minutos e intente de nuevo.',
  'authority-for-testing':
    'Esa autoridad es solo para pruebas: fuera de la demostración no se puede confiar en ella.',
  'too-many-files': 'Un envío admite hasta 100 archivos. No se guardó; súbalo en otro envío.',
  'title-missing': 'Escriba el título del documento, hasta 200 caracteres.',
  'upload-incomplete': 'El archivo no llegó completo. Súbalo otra vez: solo se envía lo que falta.',
  'too-many-uploads':
    'La notaría tiene demasiadas subidas sin terminar. Espere unos minutos e intente de nuevo.',
  'empty-file': 'No se eligió ningún archivo, o está vacío. Elija el PDF del documento.',
  'not-a-pdf': 'El archivo no es un PDF. Elija el PDF del documento.',
  'damaged-pdf':
    'El PDF está dañado o incompleto y no se puede leer. Guárdelo de nuevo y súbalo otra vez.',
  'encrypted-pdf':
    'El PDF está protegido con contraseña. Guárdelo sin protección y súbalo otra vez.',
  'change-protected-pdf':
    'El PDF está protegido contra cambios: se puede leer, pero no se le pueden agregar firmas. Pida a quien lo hizo una copia sin esa protección. Si no trae firmas, también puede abrirlo, imprimirlo como PDF y subir el archivo que resulte.',
  'private-key-uploaded':
    'Es la clave privada de una e.firma, no un documento. No se guardó: no la comparta con nadie.',
  'certificate-uploaded': 'Es un certificado (.cer), no un documento. Elija el PDF del documento.',
  'pdf-too-complex':
    'El PDF es demasiado complejo para procesarlo. Guárdelo de nuevo desde su programa de origen.',
  'signing-forbidden-by-document':
    'El documento no admite más firmas: lo impide una firma que ya contiene.',
  'stamp-place-taken':
    'En ese lugar la página no está en blanco, o no es seguro que lo esté. Elija uno de los que se ofrecen.',
  'stamp-impossible':
    'En este documento no se puede poner una firma visible; por eso no hay lugar que elegir.',
  'pictures-not-allowed':
    'Las páginas solo se muestran si el documento está completo, su consulta pública está encendida, no llegó firmado y consintieron todas las personas que lo firmaron.',
  'file-purged':
    'El archivo de este documento se eliminó. En su página están la fecha, quién lo eliminó y el motivo.',
  'search-too-wide':
    'La búsqueda coincide con más documentos o personas de los que caben, y al archivo le faltarían eventos. Afínela con otra palabra o un número, o exporte sin buscar.',
  'stored-file-damaged':
    'El archivo guardado de este documento ya no es el que se registró, por lo que no se puede leer ni firmar. Avise al administrador del sistema: debe recuperarlo de un respaldo.',
  'signature-refused':
    'La firma no corresponde a lo que se iba a firmar. No se guardó nada; intente de nuevo.',
  'preparation-expired':
    'Pasó demasiado tiempo desde que empezó a firmar. No se guardó nada; intente de nuevo.',
  'preparation-superseded':
    'Usted empezó a firmar este documento en otra ventana. No se guardó nada; intente de nuevo.',
  'acknowledgement-needed':
    'Antes de firmar, lea en la página de firma lo que se encontró en el archivo y confirme que lo vio. No se firmó nada.',
  'pages-unread':
    'Todavía no vio todas las páginas de este documento. Puede seguir leyendo; si vuelve a firmar, lo firma así. No se firmó nada.',
  'dynamic-xfa':
    'El PDF es un formulario XFA dinámico: sus páginas las arma un programa que solo Adobe Reader ejecuta, y otros programas muestran algo distinto. Imprímalo a PDF y suba el resultado.',
  'presence-needed':
    'Antes de firmar, confirme su presencia. No se guardó nada; recargue la página para hacerlo.',
  'server-signing-disabled':
    'Esta notaría no permite usar la clave privada en el servidor. Firme en un navegador que pueda abrirla en su equipo, o consulte al administrador.',
  'timestamp-unavailable':
    'Ninguna autoridad dio el sello de tiempo que esta notaría exige. No se guardó nada; intente de nuevo en unos minutos.',
  'no-constancia-provider':
    'La notaría no tiene un proveedor de constancias. El administrador lo agrega en Configuración.',
  'provider-refused': 'No se agregó: ya hay un proveedor con esa dirección o hay demasiados.',
  'provider-network':
    'No se agregó: esa dirección es de una red privada. Si ahí está el proveedor, pida a quien opera el servidor que nombre la red en PROVIDER_NETWORKS.',
  'too-many-authorities':
    'No se importó nada: la instalación ya tiene decisiones sobre 1,000 autoridades, que es el máximo. Importe solo las que necesita.',
  'session-state': 'El estado de la sesión de firma ya no permite esta acción. Revise su página.',
  'session-overdue': 'El plazo para firmar venció. Pida a la notaría que lo amplíe.',
  'session-over':
    'La sesión de firma terminó: se canceló o un firmante la rechazó. Ya nadie firma en ella.',
  'session-deadline': 'La fecha límite ya pasó. Elija una posterior.',
  'session-incomplete': 'A la sesión le falta al menos un documento o un firmante.',
  'too-many-access-tokens':
    'Puede tener hasta 20 tokens de acceso vigentes. Revoque uno que ya no use para crear otro.',
  'too-many-keys':
    'Puede tener hasta 20 llaves de seguridad. Quite una que ya no use para agregar otra.',
  'too-many-users': 'Una notaría admite hasta 1000 personas, contando las suspendidas.',
  'capacity-not-in-force':
    'Su calidad de notario ya no está vigente, por lo que no se agregó su firma. Consulte al administrador.',
  'being-signed': BEING_SIGNED,
  'capacity-missing':
    'Esta persona no tiene calidad de notario: póngala en su página y suba después el documento.',
  'too-many-capacity-documents':
    'Ya hay 50 documentos de esta calidad, que es el máximo. No se guardó.',
  'office-suspended':
    'La notaría está suspendida en este sistema: nadie puede entrar ni firmar. Lo que ya se firmó se puede verificar. Pida informes a quien opera el servidor.',
  'downloads-disabled':
    'La notaría no ofrece descargas en su página pública. El dictamen está en la página del documento; pida los archivos a la notaría.',
  'never-completed': NEVER_COMPLETED,
  'document-final':
    'El documento ya está completo y no admite más firmas. Si hace falta otra, pídala desde la página del documento con “Pedir otra firma”.',
  'signer-twice':
    'Ese RFC ya está entre los firmantes. Si es parte en otro carácter (hasta tres), agréguelo con él: da una sola firma que los nombra. La calidad de notario o abogado no se combina con otro carácter.',
  'party-known': 'Otra parte del catálogo ya tiene ese RFC.',
  'act-known': 'Otro acto de la notaría ya tiene ese nombre. Si está retirado, vuelva a usarlo.',
  'checklist-empty':
    'Ese acto todavía no tiene lista de revisión. El notario o quien administra la notaría la escribe en Configuración.',
  'checklist-begun': 'La lista ya tiene puntos marcados. Desmárquelos antes de quitarla.',
  'too-many-checklists': 'El documento ya tiene seis listas. Quite una antes de agregar otra.',
  'obligation-known': 'Otra obligación de la notaría ya tiene ese nombre.',
  'too-many-obligations':
    'La notaría ya tiene 60 obligaciones. Cambie una que esté apagada en vez de agregar otra.',
  'obligation-without-term':
    'Esta obligación todavía no tiene plazo. Escríbalo, con su fuente, y después enciéndala.',
  'non-working-day-known': 'Ese día ya está en la lista de días inhábiles.',
  'too-many-non-working-days':
    'La lista ya tiene 500 días inhábiles. Quite los de años anteriores.',
  'done-day-ahead': 'Ese día todavía no llega. Escriba el día en que se cumplió.',
  'number-used':
    'Ese número ya es de otro documento de la notaría, o del mismo instrumento. Búsquelo en Números; si este es un testimonio, una copia o un apéndice, elija ese tipo de documento.',
  'number-explained':
    'Ese número quedó sin usar y tiene anotado el motivo. Búsquelo en Números si debe usarse.',
  'number-present': 'El documento ya tiene número de instrumento. Cámbielo al editar sus datos.',
  'number-given':
    'La numeración no puede volver atrás: desde ese número ya hay números usados, apartados o con motivo.',
  'number-state': 'El número cambió mientras tanto: vea cómo está ahora e inténtelo de nuevo.',
  'series-not-started':
    'Esta serie todavía no tiene un número siguiente. Un notario o un administrador lo escribe en Configuración, “Numeración”.',
  'series-known': 'Otra serie de la notaría ya tiene ese nombre.',
  'too-many-series': 'La notaría ya tiene doce series. Cambie el nombre de una de ellas.',
  'too-many-acts': 'La notaría ya tiene cien actos, contando los retirados. Cambie uno de ellos.',
  'signer-differs':
    'Ese RFC ya está entre los firmantes con otro nombre u otro correo. Revise los datos, o quite primero al firmante.',
  'review-outdated':
    'La sesión cambió después de que usted la revisó: otra persona, u otra pestaña, la modificó. No se abrió. Revísela otra vez y ábrala.',
  'signer-signed-before':
    'Esa persona ya firmó este documento. Si de verdad debe firmarlo otra vez, marque la casilla que lo confirma.',
  'character-missing':
    'Escriba en qué carácter firma: solo los notarios y los abogados de la notaría firman sin él.',
  'character-refused':
    'El carácter de un firmante corresponde a un notario o fedatario público, y ese solo lo da su calidad. Quite o sustituya a ese firmante.',
  'too-many-signers': 'Una sesión admite hasta 40 firmantes.',
  'too-many-documents': 'Una sesión admite hasta 500 documentos.',
  'not-a-signer':
    'El documento está en una sesión de firma en la que usted no es firmante, o ya no lo es.',
  'not-your-turn': 'Todavía no es su turno: antes deben firmar otras personas. Se le avisará.',
  'already-signed': 'Usted ya firmó este documento.',
  'document-held': 'Uno de los documentos ya está en otra sesión de firma o no se puede firmar.',
  'signing-link-spent':
    'El enlace no se puede abrir: ya se abrió en otro navegador, venció o se retiró. Pida un enlace nuevo a la notaría.',
  'signing-link-over':
    'Su enlace ya no sirve: venció, se retiró o se le dio otro. Pida uno nuevo a la notaría.',
  'signing-link-changed':
    'El enlace de esta persona cambió mientras usted veía la página. No se creó otro ni se retiró ninguno: revise el estado y decida de nuevo.',
  'consent-needed':
    'Antes de continuar, lea el aviso de privacidad y confirme que está de acuerdo.',
  'reminded-already': 'Ya se le envió un recordatorio hace menos de doce horas.',
  'no-address': 'No hay un correo electrónico a donde escribirle. Muéstrele un enlace en pantalla.',
  'yubikey-known': 'La notaría ya tiene una YubiKey con ese número de serie. Búsquela en la lista.',
  'yubikey-changed':
    'Otra persona cambió esta YubiKey mientras usted tenía la página abierta. Revise cómo quedó y decida de nuevo; lo que escribió sigue aquí.',
  'yubikey-state': 'El estado de esta YubiKey ya no permite esta acción. Revise su página.',
  'credential-linked':
    'Esa llave de seguridad ya está ligada con otra YubiKey. Deslíguela primero.',
  'too-many-attestations':
    'Esta YubiKey ya tiene el máximo de atestaciones guardadas. No se guardó otra.',
  'too-many-maker-certificates':
    'Ya se guarda el máximo de certificados del fabricante. No se agregó ninguno.',
}

const ATTEMPTS = 'Hubo demasiados intentos.'

/** Others are busy here: the reader may have tried once. */
const CROWD = 'Hay demasiadas solicitudes a la vez.'

function waiting(reason: string, retryAfter: Duration | undefined): string {
  return `${reason} Espere ${waitOf(retryAfter)} e intente de nuevo.`
}

const waitOf = (retryAfter: Duration | undefined) =>
  retryAfter === undefined ? 'unos minutos' : waitInWords(secondsToWait(retryAfter))

/** Whole seconds, at least one; used by both the sentence and the `Retry-After` header. */
export const secondsToWait = (retryAfter: Duration) => Math.max(1, Math.ceil(retryAfter / 1000))

function waitInWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'un segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'un minuto' : `${minutes} minutos`
}
