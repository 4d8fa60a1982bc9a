import type {
  EndingFacts,
  MailFacts,
  NumberedDocument,
  SigningFacts,
} from '#server/domain/mail/facts.ts'
import { formatInstant, type Instant } from '#server/domain/time.ts'
import { documentKinds } from '#server/words/documents.ts'
import { quoted } from '#server/words/quoted.ts'
import { type LaidOut, type Letter, layOut } from './letter.ts'

/** The recipient, the office, and its time zone. */
export type MailFrame = { toName: string; office: string; timeZone: string }

/** Writes a mail, es-MX: a subject of one line, and a body as plain text and HTML. */
export function composeMail(facts: MailFacts, frame: MailFrame): LaidOut {
  return layOut(letterOf(facts, frame), frame)
}

function letterOf(facts: MailFacts, frame: MailFrame): Letter {
  switch (facts.kind) {
    case 'signing-invitation':
    case 'signing-turn':
    case 'signing-reminder':
      return requestLetter(facts, frame)
    case 'signing-completed':
      return completedLetter(facts, frame)
    case 'signing-rejected':
      return {
        subject: `Firma rechazada: ${nameOf(facts)}`,
        title: 'Un firmante rechazó firmar',
        paragraphs: ['La sesión de firma terminó: nadie más puede firmar en ella.'],
        facts: aboutSigning(facts),
        quote: 'reason' in facts ? { by: 'Motivo', text: facts.reason } : undefined,
        link: 'page' in facts ? linkToSession('Ver quién y por qué', facts) : undefined,
        notes: keptCopy(facts),
      }
    case 'signing-cancelled':
      return {
        subject: `Firma cancelada: ${nameOf(facts)}`,
        title: 'La sesión de firma se canceló',
        paragraphs: [`${facts.by} canceló la sesión de firma. Ya no hace falta que firme.`],
        facts: aboutSigning(facts),
        quote: 'reason' in facts ? { by: 'Motivo', text: facts.reason } : undefined,
        notes: keptCopy(facts),
      }
    case 'signing-expired':
      return {
        subject: `Firma vencida: ${nameOf(facts)}`,
        title: 'La sesión de firma venció',
        paragraphs: [
          'La fecha límite pasó y faltan firmas. La notaría puede abrir la sesión de nuevo o cancelarla.',
        ],
        facts: [
          ...aboutSigning(facts),
          ['Fecha límite', formatInstant(facts.deadline, frame.timeZone)],
        ],
        link: linkToSession('Ver la sesión', facts),
        notes: [],
      }
    case 'rejection-code':
      return {
        subject: `Código para rechazar la firma: ${facts.title}`,
        title: 'Su código para rechazar la firma',
        paragraphs: [
          'En la página que se abre con su enlace para firmar se pidió rechazar la firma. Si fue usted, escriba ahí este código.',
        ],
        facts: [
          ...aboutSigning(facts),
          ['Código', facts.code],
          ['Vence', formatInstant(facts.codeExpiresAt, frame.timeZone)],
        ],
        notes: [
          'Si no fue usted, no dé el código a nadie y avise a la notaría: otra persona tiene su enlace, pero sin el código no puede rechazar en su nombre.',
        ],
      }
    case 'signer-replaced':
      return {
        subject: `Ya no hace falta su firma: ${nameOf(facts)}`,
        title: 'Ya no hace falta su firma',
        paragraphs: [
          'La notaría designó a otra persona para firmar en su lugar. El enlace que recibió ya no sirve.',
        ],
        facts: aboutSigning(facts),
        notes: [],
      }
    case 'account-invitation':
      return {
        subject: `Invitación a Rúbrica de ${frame.office}`,
        title: 'Su cuenta en Rúbrica',
        paragraphs: [
          `${facts.by} creó una cuenta para usted. Entre con el enlace y elija su contraseña, que nadie más conocerá.`,
        ],
        facts: accessFacts(facts, frame),
        link: { label: 'Entrar por primera vez', address: facts.secretLink },
        notes: [ONCE, IF_STRANGE],
      }
    case 'account-recovery':
      return {
        subject: 'Recuperación de su cuenta de Rúbrica',
        title: 'Elija de nuevo su contraseña',
        paragraphs: [
          `${facts.by} creó un enlace para que elija otra contraseña. Su verificación en dos pasos se conserva.`,
        ],
        facts: accessFacts(facts, frame),
        link: { label: 'Elegir contraseña', address: facts.secretLink },
        notes: [ONCE, 'Si no lo pidió, no abra el enlace y avise a su notaría.'],
      }
    case 'alert':
      return {
        subject: `Alerta de Rúbrica: ${facts.title}`,
        title: facts.title,
        paragraphs: [facts.text],
        facts: [],
        // No link: an alarming mail with a link is how passwords are phished.
        notes: [
          'Entre a Rúbrica como siempre lo hace y abra Alertas. Estos avisos nunca llevan enlaces.',
        ],
      }
    case 'alert-digest':
      return {
        subject: 'Resumen de alertas de Rúbrica',
        title: 'Sus alertas desde el último resumen',
        paragraphs: facts.hasMore ? [...facts.lines, 'Hay más.'] : [...facts.lines],
        facts: [],
        notes: [
          'Entre a Rúbrica como siempre lo hace y abra Alertas. Este resumen nunca lleva enlaces ni nombres de clientes. Cómo lo recibe se elige en Mi Perfil.',
        ],
      }
    case 'reports-ready':
      return {
        subject: `Reportes de ${facts.month}`,
        title: `Los reportes de ${facts.month} están listos`,
        paragraphs: [
          facts.count === 1
            ? 'Hay un reporte. Su archivo espera siete días.'
            : `Hay ${facts.count} reportes. Sus archivos esperan siete días.`,
        ],
        facts: [],
        link: { label: 'Ver los archivos', address: facts.page },
        notes: [
          'Este correo no lleva datos de clientes. Un administrador decide en Configuración si los reportes se hacen cada mes.',
        ],
      }
  }
}

const ONCE = 'El enlace sirve una sola vez. No lo reenvíe: quien lo tenga puede entrar en su lugar.'
const GOES_ON =
  'Si ya tiene abiertos sus documentos en un navegador, puede seguir ahí. Al abrir este enlace, lo que tenía abierto con otro se cierra.'
const IF_STRANGE = 'Si no esperaba este correo, no abra el enlace y avise a la notaría.'

type Request = Extract<
  MailFacts,
  { kind: 'signing-invitation' | 'signing-turn' | 'signing-reminder' }
>

function requestLetter(facts: Request, { timeZone }: MailFrame): Letter {
  const isSecret = 'secretLink' in facts
  const isReminder = facts.kind === 'signing-reminder'
  return {
    subject: `${isReminder ? 'Recordatorio: falta su firma' : 'Su firma'}: ${nameOf(facts)}`,
    title: isReminder ? 'Falta su firma' : 'Le toca firmar',
    paragraphs: [
      isReminder
        ? `${facts.by} le recuerda que falta su firma.`
        : `${facts.by} le pide que firme con su e.firma.`,
    ],
    facts: [...aboutSigning(facts), ...deadlineFact(facts.deadline, timeZone)],
    quote: isSecret && facts.message ? { by: facts.by, text: facts.message } : undefined,
    link: {
      label: 'Revisar y firmar',
      address: isSecret ? facts.secretLink : facts.page,
    },
    notes: isSecret
      ? [
          `El enlace es solo para usted y vence el ${formatInstant(facts.linkExpiresAt, timeZone)}. Al abrirlo lea el aviso de privacidad; necesita los archivos de su e.firma (.cer y .key) y su contraseña, que no salen de su equipo.`,
          ...(isReminder ? [GOES_ON] : []),
          IF_STRANGE,
        ]
      : [],
  }
}

type Completed = Extract<MailFacts, { kind: 'signing-completed' }>

function completedLetter(facts: Completed, { timeZone }: MailFrame): Letter {
  const names = 'numbered' in facts ? facts.numbered.map(numbered) : facts.documents.map(quoted)
  const verdicts = facts.verdicts.flatMap((address, index) =>
    address === null
      ? []
      : [[`Verificación de ${names[index] ?? 'un documento'}`, address] as const],
  )
  const letter = {
    subject: `Firma concluida: ${nameOf(facts)}`,
    title: 'Todas las firmas están completas',
    facts: [...aboutSigning(facts), ...verdicts],
    notes:
      verdicts.length > 0
        ? ['Cualquier persona puede comprobar las firmas en las páginas de verificación.']
        : [],
  }
  const isOne = names.length === 1
  if ('secretLink' in facts) {
    const until = formatInstant(facts.linkExpiresAt, timeZone)
    const copies = isOne ? 'su copia firmada' : 'sus copias firmadas'
    return {
      ...letter,
      paragraphs: [`Puede descargar ${copies} hasta el ${until}.`],
      link: {
        label: isOne ? 'Descargar su copia' : 'Descargar sus copias',
        address: facts.secretLink,
      },
      notes: [...letter.notes, ONCE],
    }
  }
  const [ofOne, ofMany] = COPIES[facts.copy]
  return {
    ...letter,
    paragraphs: [isOne ? ofOne : ofMany],
    link: 'page' in facts ? { label: 'Ver en Rúbrica', address: facts.page } : undefined,
  }
}

/** For a signer who had signed before the session ended early. */
function keptCopy({ copy }: EndingFacts): readonly string[] {
  if (!copy) return []
  return [
    copy === 'in-rubrica'
      ? 'Puede descargar en Rúbrica la copia que firmó.'
      : 'Puede descargar la copia que firmó en el navegador en el que firmó, hasta que venza su enlace. También puede pedirla en la notaría.',
  ]
}

const COPIES: Record<'attached' | 'in-rubrica' | 'none', readonly [ofOne: string, ofMany: string]> =
  {
    attached: [
      'Su copia firmada va adjunta. Consérvela como archivo: impresa pierde las firmas.',
      'Sus copias firmadas van adjuntas. Consérvelas como archivos: impresas pierden las firmas.',
    ],
    'in-rubrica': [
      'Puede descargar su copia firmada en Rúbrica.',
      'Puede descargar sus copias firmadas en Rúbrica.',
    ],
    none: ['El documento firmado está en Rúbrica.', 'Los documentos firmados están en Rúbrica.'],
  }

function aboutSigning(facts: SigningFacts): Letter['facts'] {
  if ('numbered' in facts) return facts.numbered.map((one) => ['Documento', numbered(one)] as const)
  const { title, documents } = facts
  const [first, ...more] = documents
  if (first === title && more.length === 0) return [['Documento', title]]
  const session = ['Sesión de firma', title] as const
  return [session, ...documents.map((name) => ['Documento', name] as const)]
}

/** What the subject calls the session. */
function nameOf(facts: SigningFacts): string {
  if (!('numbered' in facts)) return facts.title
  const [first, ...more] = facts.numbered
  if (!first) return 'sin documentos'
  return more.length === 0 ? numbered(first) : `${numbered(first)} y ${more.length} más`
}

/** `2026-000123 (Testimonio)`, as the daily mail about alerts says it. */
const numbered = ({ folio, kind }: NumberedDocument) => `${folio} (${documentKinds[kind]})`

const linkToSession = (label: string, { page }: { page: string }) => ({ label, address: page })

function deadlineFact(deadline: Instant | null, timeZone: string): Letter['facts'] {
  return deadline === null ? [] : [['Fecha límite', formatInstant(deadline, timeZone)]]
}

type Access = Extract<MailFacts, { kind: 'account-invitation' | 'account-recovery' }>

function accessFacts({ code, linkExpiresAt }: Access, { timeZone }: MailFrame): Letter['facts'] {
  return [
    ['Código', code],
    ['Vence', formatInstant(linkExpiresAt, timeZone)],
  ]
}
