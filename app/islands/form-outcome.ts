/* What a page does after it sent a form. The sentences are those of the specification's error catalogue. */

export const NO_CONNECTION = 'Error de conexión. Por favor, verifique su conexión a internet.'
const FORBIDDEN = 'No tiene permisos para realizar esta acción.'
const NOT_FOUND = 'El recurso solicitado no fue encontrado.'
const SERVER = 'Error del servidor. Por favor, intente más tarde.'
export const UNEXPECTED = 'Ocurrió un error inesperado. Por favor, intente nuevamente.'
const EXPIRED = 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.'

const SENTENCES: Record<number, string> = {
  401: EXPIRED,
  403: FORBIDDEN,
  404: NOT_FOUND,
  500: SERVER,
}

export type FormOutcome =
  /** The form was accepted, or its session is over: the page at this address is next. */
  | { kind: 'next'; address: string }
  /** A page of ours answers, for instance with what is wrong in the fields. */
  | { kind: 'page'; html: string }
  /** Nothing is known to have happened. The form stays as it is, below this sentence. */
  | { kind: 'unsent'; sentence: string }

/** What of a response decides. The header `X-Form` says that it is from the application: a proxy sends none. */
export type FormAnswer = { status: number; from: string | null; body: string }

/** @param answer undefined without a connection, and if the response broke off */
export function outcomeOf(answer: FormAnswer | undefined): FormOutcome {
  if (!answer) return { kind: 'unsent', sentence: NO_CONNECTION }
  const { status, from, body } = answer
  if (from === 'next') return { kind: 'next', address: body }
  // A page with status 500 says less than the form with everything in it.
  if (from === 'page' && status !== 500) return { kind: 'page', html: body }
  return { kind: 'unsent', sentence: sentenceOfStatus(status) }
}

export const sentenceOfStatus = (status: number): string => SENTENCES[status] ?? UNEXPECTED
