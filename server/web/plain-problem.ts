const CODES: Record<number, string> = {
  403: 'cross-site',
  405: 'method-not-allowed',
  421: 'other-host',
  500: 'server-error',
  503: 'too-busy',
}

/**
 * The problem document for requests refused before the application, and for its failures.
 *
 * @param sentence es-MX
 * @see RFC 9457, 3
 */
export function plainProblem(status: number, sentence: string, requestId: string) {
  const code = CODES[status] ?? 'refused'
  return {
    type: `urn:rubrica:problem:${code}`,
    title: 'No fue posible atender la solicitud',
    status,
    detail: sentence,
    code,
    instance: `urn:uuid:${requestId}`,
  }
}
