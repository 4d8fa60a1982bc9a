import type { Finding } from '#server/domain/installation/finding.ts'

type Sentences = {
  [Code in Finding['code']]: (parameters: Extract<Finding, { code: Code }>['parameters']) => string
}

const sentences: Sentences = {
  'does-not-start': ({ reason }) => reason,
  'keys-of-another': ({ folder }) =>
    `Las llaves de ${folder} no abren nada de lo cifrado: parecen de otra instalación. Revise DATA_DIR y SECRETS_DIR; las demás faltas pueden deberse a eso.`,
  'log-holds': ({ events }) => `La bitácora está completa: ${counted(events, 'evento')}.`,
  'log-broken': ({ fault }) => `La bitácora no coincide con lo que se firmó. ${fault}`,
  'files-held': ({ files, hashed }) =>
    hashed
      ? `Archivos de documentos: ${files}; no falta ninguno y ninguno cambió.`
      : `Archivos de documentos: ${files}; no falta ninguno y tienen su tamaño. Con --all se lee cada uno.`,
  'files-missing': ({ files, first }) =>
    `Archivos de documentos que faltan: ${files}; el primero es del documento y versión ${first}. Devuélvalos de su respaldo.`,
  'files-damaged': ({ files, first }) =>
    `Archivos de documentos que cambiaron: ${files}; el primero es del documento y versión ${first}. Devuélvalos de su respaldo.`,
  'files-unreachable': ({ reason }) =>
    `No se pudieron revisar los archivos de documentos: su almacén no responde (${reason}).`,
  'files-plain': ({ files }) =>
    `Archivos de una versión anterior que siguen sin cifrar: ${files}. El servidor los cifra poco a poco, salvo los que no son de ningún documento.`,
  'keys-held': () => 'Están todas las llaves que se usan.',
  'sealing-keys-missing': ({ versions }) =>
    `Faltan llaves con que se cifraron secretos (sealing-N.key, N: ${versions}). Devuélvalas de su respaldo.`,
  'secrets-beside-data': ({ folder }) =>
    `Las llaves están dentro de la carpeta de datos (${folder}): una copia de ella se lleva también las llaves. Ponga SECRETS_DIR en otro lugar.`,
  'disk-free': (space) => `Hay espacio en el disco: ${freeIn(space)}.`,
  'disk-low': (space) => `Queda poco espacio en el disco: ${freeIn(space)}.`,
  'backup-held': ({ days }) => `El último respaldo es de ${daysAgo(days)}.`,
  'backup-overdue': ({ days }) =>
    `El último respaldo es de ${daysAgo(days)}: ya toca hacer otro con “rubrica backup”.`,
  'backup-missing': () => 'No hay ningún respaldo: haga uno con “rubrica backup”.',
  'mail-answers': () => 'El servidor de correo responde.',
  'mail-silent': ({ reason }) => `El servidor de correo no responde (${reason}). Revise SMTP_URL.`,
  'mail-missing': () =>
    'No hay servidor de correo (SMTP_URL): los enlaces y avisos esperan en Configuración.',
  'timestamps-missing': ({ office }) =>
    `${office}: no tiene autoridad de sellos de tiempo. Sus firmas no prueban cuándo se hicieron.`,
  'timestamps-answer': ({ office, authority }) => `${office}: ${authority} dio un sello de tiempo.`,
  'timestamps-silent': ({ office, reasons }) =>
    `${office}: ninguna autoridad dio un sello de tiempo (${reasons}).`,
  'constancias-missing': ({ office }) =>
    `${office}: no tiene proveedor de constancias de conservación (NOM-151).`,
  'constancias-reached': ({ office, provider }) =>
    `${office}: el servidor de ${provider} responde. No se le pidió ninguna constancia.`,
  'constancias-unreachable': ({ office, provider, reason }) =>
    `${office}: el servidor de ${provider}, que da las constancias, no responde (${reason}).`,
  'clock-right': () => 'El reloj de este equipo coincide con el del sello de tiempo.',
  'clock-wrong': ({ seconds }) =>
    `El reloj de este equipo difiere ${counted(seconds, 'segundo')} del sello de tiempo. Corríjalo.`,
}

function freeIn(space: { gigabytes: number; megabytes: number; percent: number }): string {
  const { gigabytes, megabytes, percent } = space
  const room = gigabytes > 0 ? `${gigabytes} GB` : `${megabytes} MB`
  return `${room} libres (${percent} %)`
}

const daysAgo = (days: number) => (days === 0 ? 'hoy' : `hace ${counted(days, 'día')}`)

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export const sentenceOfFinding = ({ code, parameters }: Finding): string =>
  (sentences[code] as (parameters: Finding['parameters']) => string)(parameters)
