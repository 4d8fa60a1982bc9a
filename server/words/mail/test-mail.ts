import { quoted } from '#server/words/quoted.ts'
import { type Envelope, type LaidOut, layOut } from './letter.ts'

/** The mail with which an administrator tries the mail server, es-MX. */
export function composeTestMail(envelope: Envelope): LaidOut {
  return layOut(
    {
      subject: 'Correo de prueba de Rúbrica',
      title: 'El servidor de correo funciona',
      paragraphs: [
        'Este es el correo de prueba que usted pidió en Configuración. Si lo está leyendo, la notaría puede enviar invitaciones, turnos de firma y alertas.',
      ],
      facts: [],
      notes: [],
    },
    envelope,
  )
}

type Tested =
  | { kind: 'no-server' }
  | {
      kind: 'answered'
      to: string
      delivery:
        | { kind: 'accepted' }
        | { kind: 'refused' | 'delayed' | 'unreachable'; answer: string }
    }

/** What became of a test mail, with the answer of the server, es-MX. */
export function sentenceOfTest(tested: Tested): string {
  if (tested.kind === 'no-server') return 'No hay servidor de correo. Guarde uno y pruebe de nuevo.'
  const { to, delivery } = tested
  if (delivery.kind === 'accepted')
    return `El servidor aceptó el correo para ${to}. Revise su bandeja de entrada; si no llega, mire también la de correo no deseado.`
  return `${FAILURES[delivery.kind]} Respondió: ${quoted(delivery.answer)}`
}

const FAILURES: Record<'refused' | 'delayed' | 'unreachable', string> = {
  refused: 'El servidor rechazó el correo.',
  delayed: 'El servidor no aceptó el correo por ahora.',
  unreachable:
    'No se pudo usar el servidor de correo. Revise el nombre, el puerto, el cifrado, el usuario y la contraseña.',
}
