import { type OpenedPrivateKey, signWith } from '#server/domain/pkcs/private-key.ts'
import { assertCommitsTo, CommitmentError } from '#server/domain/pkcs/signed-attributes.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { Refused, SigningServer } from './signing-server.ts'

/** In order; `waiting` for another signer may repeat. */
export type SigningStep = 'opening' | 'preparing' | 'waiting' | 'signing' | 'storing' | 'signed'

/** An opened key and its certificate. */
export type OpenedEfirma = { key: OpenedPrivateKey; certificate: Certificate }

export type OneOutcome = { kind: 'signed' } | { kind: 'stopped' } | Refused

export type OneDocument = {
  /** Of the version on the screen, hexadecimal. */
  documentSha256: string
  server: SigningServer
  onStep(step: SigningStep): void
  /** Stops waiting for other signers; a signature in progress is finished. */
  stop?: AbortSignal
  /** How long to wait for other signers, in milliseconds. */
  patience?: number
  timing?: Timing
}

export type Timing = {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Returns early when `stop` aborts. */
  pause(milliseconds: number, stop: AbortSignal | undefined): Promise<void>
}

/** Longer than the two minutes for which a closed page still holds a document. */
const PATIENCE_MS = 180_000
/** Random within this range, so that waiting clients do not retry at once. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [300, 1200]

/** Another signer of the same session was faster: retry with the open key. */
const HELD_BY_OTHERS = ['someone-signing', 'preparation-superseded', 'preparation-expired']
/** A changed document repeats this refusal; a concurrent signature causes it only now and then. */
const MAX_CHANGES = 3

/**
 * Signs the document on the screen: the server prepares, the key signs here, the server completes. Waits
 * and retries while others sign the same document. Returns errors as sentences.
 */
export async function signOne(efirma: OpenedEfirma, document: OneDocument): Promise<OneOutcome> {
  const { onStep, stop, patience = PATIENCE_MS, timing = REAL } = document
  const begun = timing.now()
  let changes = 0
  while (true) {
    const outcome = await prepareAndComplete(efirma, document)
    if (outcome.kind !== 'refused') return outcome
    changes = outcome.isChanged ? changes + 1 : 0
    const { isChanged, isTaken, ...refused } = outcome
    // From another window, or the response was lost.
    if (refused.code === 'already-signed') return { kind: 'signed' }
    const isRetryable = isTaken || (isChanged && changes < MAX_CHANGES)
    if (!isRetryable || timing.now() - begun >= patience) return refused
    if (isTaken) onStep('waiting')
    await timing.pause(randomPause(), stop)
    if (stop?.aborted) return { kind: 'stopped' }
  }
}

const randomPause = () => SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS)

const REAL: Timing = {
  now: () => performance.now(),
  pause: (milliseconds, stop) =>
    new Promise((resolve) => {
      if (stop?.aborted) return resolve()
      const timer = setTimeout(resolve, milliseconds)
      stop?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
}

type Attempt =
  | { kind: 'signed' }
  /**
   * `isTaken`: another signer holds the document for now. `isChanged`: the version on the screen is no
   * longer current.
   */
  | (Refused & { isTaken: boolean; isChanged: boolean })

/** One preparation and its completion. */
async function prepareAndComplete(
  { key, certificate }: OpenedEfirma,
  document: OneDocument,
): Promise<Attempt> {
  const { server, onStep } = document
  onStep('preparing')
  const prepared = await server.prepare(certificate.der)
  if (prepared.kind === 'completed') {
    onStep('signed')
    return { kind: 'signed' }
  }
  if (prepared.kind === 'refused')
    return {
      ...prepared,
      isTaken: isOneOf(HELD_BY_OTHERS, prepared),
      isChanged: prepared.code === 'stale-version',
    }
  if (!(await isOnScreen(prepared, certificate, document))) return OTHER_DOCUMENT

  onStep('signing')
  const signature = await signWith(key, prepared.toBeSigned)

  onStep('storing')
  const completed = await server.complete(prepared.id, signature)
  if (completed.kind === 'refused') {
    // The next preparation finds out whether the document has changed by more than a signature.
    const isTaken = isOneOf([...HELD_BY_OTHERS, 'stale-version'], completed)
    return { ...completed, isTaken, isChanged: false }
  }
  onStep('signed')
  return { kind: 'signed' }
}

const isOneOf = (codes: readonly string[], { code }: Refused) => codes.includes(code ?? '')

const OTHER_DOCUMENT = {
  kind: 'refused',
  code: 'other-document',
  sentence:
    'Lo que el servidor pidió firmar no es el documento que usted tiene en pantalla. No se firmó nada; recargue la página y revíselo.',
  isTaken: false,
  isChanged: false,
} as const

/**
 * Checks, before the key is used, that the prepared content matches the document shown and this
 * certificate.
 */
async function isOnScreen(
  prepared: { toBeSigned: Uint8Array; digest: Uint8Array; documentSha256: string },
  certificate: Certificate,
  { documentSha256 }: OneDocument,
): Promise<boolean> {
  if (prepared.documentSha256 !== documentSha256) return false
  try {
    await assertCommitsTo(prepared.toBeSigned, { digest: prepared.digest, certificate })
    return true
  } catch (error) {
    if (error instanceof CommitmentError) return false
    throw error
  }
}
