import { z } from 'zod'
import { fromBase64, toBase64 } from '#server/domain/bytes.ts'
import { UsageError } from './usage.ts'

/** A refusal by the server; `message` es-MX. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  /** The code of the API; null when no response came. */
  readonly code: string | null

  constructor(code: string | null, message: string) {
    super(message)
    this.code = code
  }
}

const Turns = z.object({
  name: z.string(),
  rfc: z.string(),
  documents: z.array(
    z.object({
      documentId: z.uuid(),
      folio: z.string(),
      title: z.string(),
      version: z.int(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      pages: z.int(),
      session: z.string().nullable(),
    }),
  ),
  /** Absent from a server of an earlier release, which lists the first 1000. */
  next: z.string().nullish(),
})
/** The signer, and a page of the documents that wait for them. */
type Turns = z.infer<typeof Turns>
export type WaitingDocument = Turns['documents'][number]

const Base64 = z.string().transform((text) => fromBase64(text))
const Prepared = z.object({
  preparedId: z.uuid(),
  toBeSigned: Base64,
  digest: Base64,
  documentSha256: z.string(),
})
export type PreparedByServer = z.infer<typeof Prepared>

const Completed = z.object({ documentId: z.uuid() })

const ProblemAnswer = z.object({ code: z.string(), detail: z.string() })

/** Every method throws {@link ServerRefusal}. */
export type AgentServer = {
  /** @param behind `next` of the page before */
  turns(behind?: string): Promise<Turns>
  prepare(document: WaitingDocument, certificate: Uint8Array): Promise<PreparedByServer>
  /**
   * Retried when the response is lost: the server repeats the same result. `completion-lost` if no retry gets a
   * result.
   */
  complete(preparedId: string, signature: Uint8Array): Promise<void>
}

/** Response timeout: the server prepares a large file, and an authority gives a timestamp. */
const PATIENCE_MS = 120_000
const TRIES = 3

/**
 * A client of a server's signing API.
 *
 * @param origin `https://rubrica.notaria.mx`; http only on this machine
 * @param token the signer's access token
 * @throws {UsageError} for another kind of address
 */
export function agentServerAt(origin: string, token: string): AgentServer {
  const base = new URL('/api/v1/signing/', safeOrigin(origin))

  async function call<S extends z.ZodType>(path: string, schema: S, body?: unknown) {
    const { status, json } = await answerTo(new URL(path, base), token, body)
    const parsed = isGood(status) ? schema.safeParse(json) : undefined
    if (parsed?.success) return parsed.data
    const problem = ProblemAnswer.safeParse(json).data
    if (!problem && AWAY.includes(status)) throw new ServerRefusal(null, UNREACHABLE)
    const { code, detail } = problem ?? STRANGE
    throw new ServerRefusal(code, detail)
  }

  return {
    turns: (behind) =>
      call(behind === undefined ? 'turns' : `turns?${new URLSearchParams({ behind })}`, Turns),
    prepare: ({ documentId, version }, certificate) =>
      call(`documents/${documentId}/prepare`, Prepared, {
        version,
        certificate: toBase64(certificate),
      }),
    async complete(preparedId, signature) {
      const body = { signature: toBase64(signature) }
      for (let left = TRIES; ; left--)
        try {
          return void (await call(`prepared/${preparedId}/complete`, Completed, body))
        } catch (error) {
          if (!(error instanceof ServerRefusal) || !SAYS_NOTHING.includes(error.code)) throw error
          if (error.code === null && left > 1) continue
          throw new ServerRefusal('completion-lost', COMPLETION_LOST)
        }
    },
  }
}

const STRANGE = { code: 'strange-answer', detail: 'El servidor respondió algo que no se entiende.' }
/** After these codes the signature may or may not be stored. */
const SAYS_NOTHING: (string | null)[] = [null, STRANGE.code, 'server-error']
const COMPLETION_LOST =
  'No se sabe si se firmó: el servidor no dijo si guardó la firma. Si no la guardó, el documento sigue en espera.'
const UNREACHABLE = 'No se pudo hablar con el servidor. Revise la dirección y la conexión.'

/** Statuses of a proxy whose server is down or slow. */
const AWAY = [502, 503, 504]

/** Treats a truncated response as none. */
async function answerTo(url: URL, token: string, body: unknown) {
  try {
    const answer = await fetch(url, {
      // Never send the token to another server that this one names.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: jsonOf(text) }
  } catch {
    throw new ServerRefusal(null, UNREACHABLE)
  }
}

const isGood = (status: number) => status >= 200 && status < 300

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

function safeOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!url || !isSafe || url.username !== '' || url.password !== '')
    throw new UsageError(
      `--server debe ser una dirección https:// (o http://localhost para probar), no ${url ? url.origin : 'eso'}.`,
    )
  return url.origin
}
