import { shownText } from '#server/domain/text/shown-text.ts'
import type { ProofSection, Root } from './section.ts'

/** A section whose title was put into words, es-MX. */
export type WordedSection = Omit<ProofSection, 'title'> & { title: string }

export type PackageHead = {
  folio: string
  office: string
  /** The public page that says the same; null if the public must not find the document. */
  address: string | null
  /** For people, es-MX. */
  made: string
  isTest: boolean
  /** With what the checkpoint of each log that has one of the events is checked; empty where none was signed over them. */
  logKeys: readonly string[]
  /** The document has more events than this, and the oldest are not in the package. */
  mostEvents?: number
}

/** Proves nothing by itself: that nothing of the package was lost or changed on the way. */
const SUMS: Pick<WordedSection, 'title' | 'sentences' | 'commands'> = {
  title: 'El paquete está completo',
  sentences: ['Compara cada archivo con la huella que se anotó de él.'],
  commands: ['sha256sum -c SHA256SUMS'],
}

/** Each line of the log is an event as it was written; its leaf is what the log's tree is made of. */
const LOG: Pick<WordedSection, 'title' | 'sentences' | 'commands'> = {
  title: 'Bitácora',
  sentences: [
    'Cada línea de bitacora/eventos.jsonl es un evento tal como se escribió (RFC 8785) y su hoja es la huella SHA-256 de un octeto cero y esa línea (RFC 6962). Los números que faltan son de otros eventos y de consultas.',
  ],
  commands: [
    `while IFS= read -r evento; do { printf '\\000'; printf '%s' "$evento"; } | sha256sum | cut -c 1-64; done < bitacora/eventos.jsonl | cmp - bitacora/hojas.txt`,
  ],
}

/** The name of the key of the log with this place among those of the document, below `bitacora/`. */
export const keyName = (index: number) => `clave${numbered(index)}.pem`

/** The same for its checkpoint. */
export const checkpointName = (index: number) => `punto-de-control${numbered(index)}.txt`

const numbered = (index: number) => (index === 0 ? '' : `-${index + 1}`)

/** What the log proves when a checkpoint counts its events: the signature with OpenSSL, the way to it with rubrica. */
function signedLog(keys: readonly string[]): typeof LOG {
  return {
    title: LOG.title,
    sentences: [
      ...LOG.sentences,
      'La notaría firmó cuántos eventos tiene su bitácora y cuáles son: bitacora/punto-de-control.txt, en el formato tlog-checkpoint de C2SP, con la clave Ed25519 de bitacora/clave.pem. El último comando comprueba esa firma.',
      ...(keys.length > 1 ? [TWO_LOGS] : []),
      `Que los eventos están entre los firmados lo prueba bitacora/pruebas.tlog-proof (formato tlog-proof de C2SP, RFC 6962): rubrica audit verify-proof ${keys.map((key) => `--key '${key}'`).join(' ')} --events bitacora/eventos.jsonl bitacora/pruebas.tlog-proof. Los eventos posteriores al punto de control no tienen prueba todavía.`,
    ],
    commands: [...LOG.commands, ...keys.map((_, index) => commandFor(index))],
  }
}

const TWO_LOGS =
  'Una parte de los eventos es de antes de que la notaría tuviera una bitácora propia: cada bitácora tiene su clave y su punto de control (clave-2.pem y punto-de-control-2.txt son los de la segunda), y los números de cada una empiezan en 0. Un comando comprueba cada firma.'

function commandFor(index: number): string {
  const [text, signature] = ['punto-de-control.texto', 'punto-de-control.firma']
  const [key, note] = [keyName(index), checkpointName(index)].map((name) => `bitacora/${name}`)
  return `sed '/^$/,$d' ${note} > ${text} && tail -n 1 ${note} | cut -d ' ' -f 3 | base64 -d | tail -c +5 > ${signature} && openssl pkeyutl -verify -pubin -inkey ${key} -rawin -in ${text} -sigfile ${signature}`
}

function logOf({ logKeys, mostEvents }: PackageHead): typeof LOG {
  const log = logKeys.length === 0 ? LOG : signedLog(logKeys)
  if (mostEvents === undefined) return log
  const cut = `El documento tiene más de ${mostEvents} eventos: aquí faltan los más antiguos, que la notaría conserva en su bitácora.`
  return { ...log, sentences: [cut, ...log.sentences] }
}

/**
 * VERIFICAR.txt: how to prove the document without us. A line indented by four spaces is one command; all others
 * are text, and stay one line each: a signer controls the name in their certificate.
 */
export function instructions(head: PackageHead, sections: readonly WordedSection[]): string {
  const all = [SUMS, ...sections, logOf(head)]
  return [
    `PAQUETE DE EVIDENCIA · Folio ${head.folio}`,
    head.office,
    `Hecho el ${head.made}.${head.address ? ` El mismo informe: ${head.address}` : ''}`,
    ...(head.isTest ? ['', 'DE PRUEBA: nada de lo que hay aquí tiene validez.'] : []),
    '',
    ...INTRODUCTION,
    '',
    ...all.flatMap(({ title, sentences, commands }, index) => [
      `${index + 1}. ${shownText(title)}`,
      ...sentences.map((sentence) => shownText(sentence, 2000)),
      '',
      ...commands.map((command) => `    ${command}`),
      '',
    ]),
    ...rootsOf(sections),
    '',
  ].join('\n')
}

const INTRODUCTION = [
  'Este paquete se comprueba sin nosotros y sin conexión, con OpenSSL 3 y los comandos comunes de',
  'Linux, desde la carpeta en que se extrajo. Cada comando que termina sin error prueba lo que dice',
  'su título; si un solo byte del documento cambió, los de sus firmas fallan.',
  '',
  'original.pdf    lo que se presentó a firma',
  'firmado.pdf     el documento firmado: es el original electrónico',
  'dictamen.pdf    lo que nuestro verificador dice de él; dictamen.json, lo mismo para programas',
  'hoja-de-evidencia.pdf  cadena original y sello de cada firma, para leerse e imprimirse',
  'firmas/         cada firma como está en el documento, el certificado y la cadena de su autoridad',
  'sellos/         sellos de tiempo sobre las firmas',
  'revocacion/     lo que las autoridades dijeron de los certificados: respuestas (.ors), listas (.crl)',
  'constancia/     la constancia de conservación, como llegó (.asn1) y sin envoltura (.tst)',
  'presencia.json  si la hubo, la prueba de que quien firmó estaba presente',
  'bitacora/       los eventos del documento y, si ya se firmó, el punto de control que los cuenta',
]

/** A root that came in the package proves nothing by itself. */
function rootsOf(sections: readonly WordedSection[]): string[] {
  const roots = new Map<string, Root>(
    sections.flatMap(({ roots: own }) => own.map((root) => [root.sha256, root] as const)),
  )
  return [
    'LAS RAÍCES. Las cadenas vienen en el paquete para que los comandos sean cortos. Todo lo anterior',
    'vale lo que valgan estas raíces: compare su huella SHA-256 con la que publica cada autoridad.',
    '',
    ...[...roots].flatMap(([fingerprint, { name }]) => [shownText(name), `  ${fingerprint}`]),
  ]
}
