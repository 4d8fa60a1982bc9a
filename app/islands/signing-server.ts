export type Refused = {
  kind: 'refused'
  sentence: string
  field?: 'certificate'
  /** Why, where the server names it. */
  code?: string
}

export type Prepared = {
  kind: 'prepared'
  id: string
  toBeSigned: Uint8Array
  digest: Uint8Array
  documentSha256: string
}

/** The two calls between which the key is used. Neither ever throws. */
export type SigningServer = {
  prepare(certificate: Uint8Array): Promise<Prepared | Refused>
  complete(preparedId: string, signature: Uint8Array): Promise<{ kind: 'completed' } | Refused>
}

/** What a proxy says of a server that it does not reach, or does not wait for. */
const AWAY = [502, 503, 504]

/** So often a completion is asked for whose answer is lost: the server gives the same one, and nothing else tells that it is signed. */
const MOST_COMPLETIONS = 3

const NO_CONNECTION = 'Error de conexión. Por favor, verifique su conexión a internet.'
const UNEXPECTED = 'Ocurrió un error inesperado. Por favor, intente nuevamente.'

const LOST: Refused = { kind: 'refused', sentence: NO_CONNECTION, code: 'no-connection' }

/** @param address of the sign page; the calls are below it */
export function signingServerAt(
  address: string,
  form: { csrf: string; version: string; batch?: boolean },
  send: typeof fetch = (...request) => fetch(...request),
): SigningServer {
  async function call(path: string, fields: Record<string, string>): Promise<unknown> {
    const body = new URLSearchParams({ csrf: form.csrf, ...fields })
    try {
      const response = await send(`${address}/${path}`, { method: 'POST', body, redirect: 'error' })
      const answer = jsonOf(await response.text())
      return answer === undefined && AWAY.includes(response.status) ? LOST : answer
    } catch {
      return LOST
    }
  }

  async function complete(fields: Record<string, string>): Promise<unknown> {
    for (let asked = 1; ; asked += 1) {
      const answer = await call('complete', fields)
      if (answer !== LOST || asked === MOST_COMPLETIONS) return answer
    }
  }

  return {
    async prepare(certificate) {
      const { version } = form
      const answer = await call('prepare', { version, certificate: toBase64(certificate) })
      return readPrepared(answer) ?? readRefusal(answer)
    },
    async complete(preparedId, signature) {
      const answer = await complete({
        preparedId,
        signature: toBase64(signature),
        ...(form.batch && { batch: 'yes' }),
      })
      return isRecord(answer) && answer.kind === 'completed'
        ? { kind: 'completed' }
        : readRefusal(answer)
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readPrepared(answer: unknown): Prepared | undefined {
  if (!isRecord(answer) || answer.kind !== 'prepared') return undefined
  const { id, toBeSigned, digest, documentSha256 } = answer
  return {
    kind: 'prepared',
    id: String(id),
    toBeSigned: fromBase64(String(toBeSigned)),
    digest: fromBase64(String(digest)),
    documentSha256: String(documentSha256),
  }
}

function readRefusal(answer: unknown): Refused {
  if (!isRecord(answer) || typeof answer.sentence !== 'string')
    return { kind: 'refused', sentence: UNEXPECTED }
  const { sentence, field, code } = answer
  return {
    kind: 'refused',
    sentence,
    ...(field === 'certificate' && { field }),
    ...(typeof code === 'string' && { code }),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
