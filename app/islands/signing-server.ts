import { NO_CONNECTION, UNEXPECTED } from './form-outcome.ts'

export type Refused = {
  kind: 'refused'
  sentence: string
  field?: 'certificate'
  /** The problem code, if the server sent one. */
  code?: string
  /** The next page to read, if pages were not. */
  page?: string
}

type Prepared = {
  kind: 'prepared'
  id: string
  toBeSigned: Uint8Array
  digest: Uint8Array
  documentSha256: string
}

/** The calls before and after the key is used. Neither throws. */
export type SigningServer = {
  /** `completed` if the last completion, whose response was lost, was stored. */
  prepare(certificate: Uint8Array): Promise<Prepared | { kind: 'completed' } | Refused>
  complete(preparedId: string, signature: Uint8Array): Promise<{ kind: 'completed' } | Refused>
}

/** Statuses of a proxy whose server is unreachable or too slow. */
const GATEWAY_ERRORS = [502, 503, 504]

/**
 * Attempts to fetch the result of a completion whose response was lost; the server repeats the same one.
 */
const MAX_COMPLETIONS = 3

const NO_RESPONSE: Refused = { kind: 'refused', sentence: NO_CONNECTION, code: 'no-connection' }

/** The signature may have been stored; the next attempt checks that first. */
const UNSURE: Refused = {
  kind: 'refused',
  sentence: `${NO_CONNECTION} No se sabe si la firma llegó a guardarse; al volver a firmar se comprueba primero.`,
  code: 'completion-lost',
}

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
      return answer === undefined && GATEWAY_ERRORS.includes(response.status) ? NO_RESPONSE : answer
    } catch {
      return NO_RESPONSE
    }
  }

  /** The completion whose result is unknown. */
  let unsure: Record<string, string> | undefined

  async function complete(
    fields: Record<string, string>,
  ): Promise<{ kind: 'completed' } | Refused> {
    let answer: unknown
    for (let attempt = 1; attempt <= MAX_COMPLETIONS; attempt += 1) {
      answer = await call('complete', fields)
      if (answer !== NO_RESPONSE) break
    }
    const isCompleted = isRecord(answer) && answer.kind === 'completed'
    const refused = answer === NO_RESPONSE ? undefined : refusalIn(answer)
    unsure = isCompleted || refused ? undefined : fields
    return isCompleted ? { kind: 'completed' } : (refused ?? UNSURE)
  }

  return {
    async prepare(certificate) {
      if (unsure) {
        const settled = await complete(unsure)
        if (settled.kind === 'completed' || unsure) return settled
      }
      const { version } = form
      const answer = await call('prepare', {
        version,
        certificate: toBase64(certificate),
        // In a batch the list says which documents were not read.
        ...(!form.batch && { unread: 'ask' }),
      })
      const unexpected: Refused = { kind: 'refused', sentence: UNEXPECTED }
      return readPrepared(answer) ?? refusalIn(answer) ?? unexpected
    },
    complete: (preparedId, signature) =>
      complete({
        preparedId,
        signature: toBase64(signature),
        ...(form.batch && { batch: 'yes' }),
      }),
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

function refusalIn(answer: unknown): Refused | undefined {
  if (!isRecord(answer) || typeof answer.sentence !== 'string') return undefined
  const { sentence, field, code, page } = answer
  return {
    kind: 'refused',
    sentence,
    ...(field === 'certificate' && { field }),
    ...(typeof code === 'string' && { code }),
    ...(typeof page === 'string' && { page }),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
