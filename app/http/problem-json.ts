import { z } from 'zod'
import type { Problem } from '#server/domain/problem.ts'
import { answerTo } from './problems.ts'

/** The body of a refused API call. @see RFC 9457, 3 */
export const problemDetails = z
  .strictObject({
    type: z.string().meta({ description: 'A URN that ends in the code.' }),
    title: z.string(),
    status: z.int(),
    /** One es-MX sentence for people. */
    detail: z.string(),
    /** For programs: the only member that they need. */
    code: z.string(),
    /** The request id, as in the header X-Request-Id and in the log. */
    instance: z.string(),
    /** Validation errors by field; `body` for the body as a whole. */
    errors: z.record(z.string(), z.array(z.string())).optional(),
    /** Present after a wrong second factor. */
    attemptsLeft: z.int().nonnegative().optional(),
    /** RFC 3339: lets the client compare its clock with ours. */
    serverTime: z.iso.datetime().optional(),
  })
  .meta({ id: 'problem' })
type ProblemDetails = z.infer<typeof problemDetails>

const TITLES: Record<number, string> = {
  400: 'Solicitud dañada',
  401: 'Sin sesión o sin prueba de identidad',
  403: 'Sin permiso',
  404: 'No encontrado',
  405: 'Método no permitido',
  408: 'Envío demasiado lento',
  409: 'El estado no lo permite',
  410: 'Ya no existe',
  413: 'Demasiado grande',
  415: 'Tipo de contenido no admitido',
  422: 'Datos no válidos',
  429: 'Demasiados intentos',
  500: 'Error del servidor',
  503: 'Fuera de servicio',
  507: 'Sin espacio en el disco',
}

/** A refusal that is not a `Problem` of a use case, or has more fields than one. */
export type Refusal = Pick<ProblemDetails, 'status' | 'code' | 'detail'> &
  Partial<Pick<ProblemDetails, 'errors' | 'attemptsLeft' | 'serverTime'>>

export const refusalFor = (problem: Problem): Refusal => {
  const { status, sentence } = answerTo(problem)
  return { status, code: problem.code, detail: sentence }
}

export function problemAnswer(refusal: Refusal, requestId: string, headers = new Headers()) {
  const details: ProblemDetails = {
    type: `urn:rubrica:problem:${refusal.code}`,
    title: TITLES[refusal.status] ?? 'No fue posible atender la solicitud',
    instance: `urn:uuid:${requestId}`,
    ...refusal,
  }
  headers.set('Content-Type', 'application/problem+json; charset=utf-8')
  return new Response(JSON.stringify(details), { status: refusal.status, headers })
}
