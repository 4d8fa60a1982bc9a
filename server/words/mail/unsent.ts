import type { ProblemCode } from '#server/domain/problem.ts'

const SENTENCES: Partial<Record<ProblemCode, string>> = {
  'secret-unreadable': 'El contenido no se puede descifrar: revise las llaves del servidor.',
  'too-large': 'Los documentos adjuntos son demasiado grandes para un correo.',
  'files-unreachable': 'El almacén de los archivos no responde.',
  'not-found': 'El contenido o un documento adjunto ya no existe.',
}

/** Why a mail could not be handed to a mail server, es-MX. */
export const sentenceOfUnsent = (code: ProblemCode): string =>
  SENTENCES[code] ?? 'El correo no se puede enviar.'
