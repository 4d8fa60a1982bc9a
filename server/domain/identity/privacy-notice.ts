import { z } from 'zod'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Office } from './office.ts'
import { paragraphs } from './text.ts'

/** The privacy notice that a guest accepts before seeing any document, es-MX. */
export type PrivacyNotice = {
  /** The aviso simplificado, shown with the form: paragraphs. */
  short: readonly string[]
  /** The aviso integral: sections with a title and paragraphs. */
  full: readonly { title: string; paragraphs: readonly string[] }[]
  /** SHA-256 of both as one text; identifies the version of a consent. */
  sha256: Sha256
}

/** The editable form: paragraphs separated by blank lines, titles of the full notice marked by `# `. */
export const NoticeText = z.object({
  short: paragraphs(5_000).pipe(z.string().min(1)),
  full: paragraphs(20_000).pipe(z.string().min(1)),
})
export type NoticeText = z.infer<typeof NoticeText>

/** Parses a notice; text before the first title has no title. */
export function noticeFromText({ short, full }: NoticeText): PrivacyNotice {
  const sections: { title: string; paragraphs: string[] }[] = []
  for (const block of blocksOf(full)) {
    const [, title, rest = ''] = /^#\s+([^\n]+)(?:\n(.*))?$/s.exec(block) ?? []
    if (title !== undefined)
      sections.push({ title: title.trim(), paragraphs: rest.trim() ? [rest.trim()] : [] })
    else if (sections.length > 0) sections.at(-1)?.paragraphs.push(block)
    else sections.push({ title: 'Aviso de privacidad', paragraphs: [block] })
  }
  const notice = { short: blocksOf(short), full: sections }
  return { ...notice, sha256: sha256(textOfNotice(notice)) }
}

/** The editable text; `noticeFromText` restores the same notice. */
export const writableText = ({
  short,
  full,
}: Pick<PrivacyNotice, 'short' | 'full'>): NoticeText => ({
  short: short.join('\n\n'),
  full: full
    .map(({ title, paragraphs }) => [`# ${title}`, ...paragraphs].join('\n\n'))
    .join('\n\n'),
})

const blocksOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')

type Responsible = Pick<Office, 'name' | 'number' | 'entity' | 'municipality' | 'address'>

/**
 * The default aviso de privacidad of an office for signers without an account.
 *
 * @see Ley Federal de Protección de Datos Personales en Posesión de los Particulares (DOF 20/03/2025), what an
 *   aviso must name: the controller and its address, the data, purposes, recipients, and how to object
 */
export function privacyNoticeOf(office: Responsible): PrivacyNotice {
  const short = shortNotice(office)
  const full = fullNotice(office)
  return { short, full, sha256: sha256(textOfNotice({ short, full })) }
}

/** The whole text, whose SHA-256 identifies the notice. */
export function textOfNotice({ short, full }: Pick<PrivacyNotice, 'short' | 'full'>): string {
  const sections = full.flatMap(({ title, paragraphs }) => [title, ...paragraphs])
  return [...short, ...sections].join('\n')
}

/* Offices may already include their number in the name and the municipality in the address. */
function responsibleIn({ name, number, entity, municipality, address }: Responsible): string {
  const hasNumber = new RegExp(`\\b${number}\\b`).test(name)
  const who = hasNumber ? name : `${name} (notaría número ${number} de ${entity})`
  const where = [address, ...[municipality, entity].filter((part) => !address.includes(part))]
  return `${who}, con domicilio en ${where.join(', ')}`
}

const DATA =
  'su nombre, RFC, correo electrónico y el carácter con el que firma; los datos de su certificado de e.firma y su firma electrónica; y la fecha, la dirección IP y el tipo de dispositivo desde el que firma'

const shortNotice = (office: Responsible): readonly string[] => [
  `${responsibleIn(office)}, es responsable del tratamiento de sus datos personales.`,
  `Usará ${DATA}.`,
  'Los usará para identificarle como firmante, recibir su firma, entregarle su copia y poder demostrar después qué se firmó, quién y cuándo. Además guardará su nombre, RFC, correo y carácter en su catálogo de partes, para no pedírselos de nuevo en otro acto; puede pedir que se borren de él. No los usará para otros fines.',
  'Su clave privada no se guarda. Si firma en su equipo, tampoco se envía.',
  'Puede oponerse antes de continuar: no acepte este aviso y acuda a la notaría, que le indicará otra forma de firmar.',
]

const fullNotice = (office: Responsible): PrivacyNotice['full'] => [
  {
    title: 'Responsable',
    paragraphs: [
      `${responsibleIn(office)}, es responsable del tratamiento de sus datos personales.`,
    ],
  },
  {
    title: 'Datos que se tratan',
    paragraphs: [
      `Se tratan ${DATA}. El certificado de e.firma puede contener también su CURP.`,
      'Los documentos que firma contienen los datos que el propio instrumento requiere.',
      'No se piden datos personales sensibles en estas páginas.',
    ],
  },
  {
    title: 'Finalidades',
    paragraphs: [
      'Identificarle como firmante y comprobar que la e.firma es la de la persona cuyo RFC se requiere.',
      'Recibir su firma electrónica, conservar el documento firmado y entregarle su copia.',
      'Conservar la prueba de lo que se firmó y cumplir las obligaciones que la ley impone al notario.',
      'Las anteriores son necesarias para el acto que va a firmar.',
      'Finalidad secundaria: guardar su nombre, RFC, correo electrónico y carácter en el catálogo de partes de la notaría, para no pedírselos de nuevo en otro acto. Puede oponerse a ella antes o después de firmar, en el domicilio de la notaría, sin que eso le impida firmar.',
    ],
  },
  {
    title: 'A quién se comunican',
    paragraphs: [
      'Para comprobar su certificado se consulta a la autoridad que lo emitió. Para fechar la firma se envía a una autoridad de sellado solo una huella digital, que no contiene datos personales.',
      'Los demás firmantes y quien tenga el documento firmado ven los datos que la firma contiene.',
      'Fuera de eso, solo se comunican a las autoridades que la ley señala.',
    ],
  },
  {
    title: 'Conservación',
    paragraphs: [
      'El documento firmado y la constancia de esta aceptación se conservan por el tiempo que la ley exige para los instrumentos notariales. El enlace por el que usted entró vence.',
      'Sus datos en el catálogo de partes se conservan hasta que usted pida que se borren o la notaría los elimine; solo los ve quien prepara firmas en ella.',
    ],
  },
  {
    title: 'Sus derechos',
    paragraphs: [
      'Puede pedir acceso a sus datos, su rectificación o cancelación, u oponerse a su uso, y revocar su consentimiento, por escrito en el domicilio de la notaría. Lo ya firmado y lo que la ley obliga a conservar no puede cancelarse.',
      'Si no está conforme con la respuesta, puede acudir a la autoridad en materia de protección de datos personales.',
    ],
  },
  {
    title: 'Cookies y cambios',
    paragraphs: [
      'Estas páginas usan solo las cookies necesarias para mantener abierto su enlace en este navegador.',
      'Si este aviso cambia, se le mostrará el texto nuevo antes de que lo acepte.',
    ],
  },
]
