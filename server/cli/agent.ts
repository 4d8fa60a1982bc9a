import path from 'node:path'
import { systemClock } from '#server/adapters/clock.ts'
import { COMMANDS } from '#server/cli/commands/commands.ts'
import { diagnoseCertificate } from '#server/domain/efirma/diagnosis.ts'
import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import { assertCommitsTo, CommitmentError } from '#server/domain/pkcs/signed-attributes.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import type { Instant } from '#server/domain/time.ts'
import { sentenceOfEfirma } from '#server/words/efirma.ts'
import {
  type AgentServer,
  agentServerAt,
  type PreparedByServer,
  ServerRefusal,
  type WaitingDocument,
} from './agent-server.ts'
import { secretIn } from './key-options.ts'
import { withTokenKey } from './open-token.ts'
import { type Accept, type OpenedKey, Refused, refuse, ZONE } from './opened-key.ts'
import { complain, say } from './output.ts'
import { readArguments, UsageError } from './usage.ts'

/** Polling interval while nothing waits. */
const REST_MS = 15_000

/**
 * `rubrica agent`: signs the documents that wait for the owner of an access token, with the key in a hardware
 * token of this machine. Shows each document first. Signed documents stay signed however the command ends; the
 * others are offered again next time.
 *
 * @returns 0 when stopped or nothing is left, 1 when something was left unsigned, with the reason on standard error
 * @throws {UsageError}
 */
export async function agent(
  args: string[],
  workingFolder: string,
  now = systemClock.now(),
): Promise<number> {
  const { server, isOnce, token } = readOrder(args, workingFolder)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    const { name, rfc } = await server.turns()
    const accept = acceptOf(rfc, now)
    const outcome = await withTokenKey(token, accept, async (key) => {
      say(
        `Firma ${name} (RFC ${rfc}), certificado ${satProfileOf(key.certificate).certificateNumber}.`,
      )
      return {
        kind: 'done' as const,
        isWhole: await work({ server, key, isOnce, stop: stop.signal }),
      }
    })
    if (outcome.kind === 'refused') return refused(outcome.sentence)
    return outcome.isWhole ? 0 : 1
  } catch (error) {
    if (error instanceof ServerRefusal) return refused(sentenceOf(error))
    if (error instanceof Refused) return refused(error.message)
    throw error
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** @throws {UsageError} */
function readOrder(args: string[], workingFolder: string) {
  const { values, positionals } = readArguments(args, COMMANDS.agent.options)
  const { server, pkcs11, token, once = false } = values
  const [ofAccess, ofPin] = [values['token-env'], values['pin-env']]
  if (!server || !pkcs11 || !ofAccess || !ofPin || positionals.length > 0)
    throw new UsageError('Faltan datos para el agente, o sobran.')
  return {
    server: agentServerAt(server, secretIn(ofAccess)),
    isOnce: once,
    token: { module: path.resolve(workingFolder, pkcs11), token, password: secretIn(ofPin) },
  }
}

/** Checks kind, dates and owner; the server checks issuer and revocation before it prepares. */
const acceptOf =
  (requiredRfc: string, now: Instant): Accept =>
  (file) => {
    const diagnosis = diagnoseCertificate(file, { now, requiredRfc })
    return diagnosis.kind === 'refused'
      ? refuse(sentenceOfEfirma(diagnosis, ZONE))
      : { kind: 'accepted', certificate: diagnosis.certificate, path: [] }
  }

type Work = { server: AgentServer; key: OpenedKey; isOnce: boolean; stop: AbortSignal }

/** Documents that were reported, in their current version. */
type Reported = {
  /** Refused: retried only after they change. */
  refused: Set<string>
  /** Their signer must acknowledge them in the browser: retried silently. */
  unacknowledged: Set<string>
}

/**
 * Runs passes until it is stopped or, once, until one signs nothing: a server of an earlier release lists the first documents
 * only.
 *
 * @returns whether the last pass left nothing unsigned
 */
export async function work(order: Work): Promise<boolean> {
  const { isOnce, stop } = order
  const reported: Reported = { refused: new Set(), unacknowledged: new Set() }
  let isWhole = true
  while (!stop.aborted) {
    const pass = await passOver(order, reported)
    isWhole = pass.isWhole
    if (isOnce && pass.signed === 0) break
    if (!isOnce) await rest(stop)
  }
  return isWhole
}

/** Tries each document that waits. */
async function passOver(
  { server, key, isOnce, stop }: Work,
  { refused, unacknowledged }: Reported,
): Promise<{ signed: number; isWhole: boolean }> {
  let signed = 0
  let isWhole = true
  for await (const document of documentsOf(server, isOnce)) {
    if (stop.aborted) break
    const mark = `${document.documentId} ${document.version}`
    if (refused.has(mark)) {
      isWhole = false
      continue
    }
    const isKnown = unacknowledged.has(mark)
    const reason = await signOne(document, server, key, isKnown)
    if (reason === null) {
      signed += 1
      continue
    }
    isWhole = false
    if (isUnacknowledged(reason)) {
      unacknowledged.add(mark)
      if (isKnown) continue
    }
    if (!isPassing(reason)) refused.add(mark)
    complain(`  ${isUnsure(reason) ? '' : 'No se firmó: '}${sentenceOf(reason)}`)
  }
  return { signed, isWhole }
}

/** Page by page. Retries while the server is down; ends when it rejects the token. */
async function* documentsOf(server: AgentServer, isOnce: boolean): AsyncGenerator<WaitingDocument> {
  try {
    let behind: string | undefined
    do {
      const { documents, next } = await server.turns(behind)
      yield* documents
      behind = next ?? undefined
    } while (behind !== undefined)
  } catch (error) {
    if (isOnce || !(error instanceof ServerRefusal) || !isPassing(error)) throw error
    complain(error.message)
  }
}

/** @returns why the document was not signed or its result is unknown; null if it was signed */
async function signOne(
  document: WaitingDocument,
  server: AgentServer,
  key: OpenedKey,
  isKnown: boolean,
): Promise<ServerRefusal | null> {
  const { folio, title, pages, sha256, session } = document
  const facts = [folio, title, pages === 1 ? '1 página' : `${pages} páginas`, session]
  const line = facts.flatMap((fact) => (fact ? shownText(fact) : [])).join(' · ')
  const announce = () => say(`${line}\n  SHA-256 ${sha256}`)
  if (!isKnown) announce()
  try {
    const prepared = await server.prepare(document, key.certificate.der)
    if (isKnown) announce()
    await mustBeWhatWasShown(prepared, document, key)
    await server.complete(prepared.preparedId, await key.sign(prepared.toBeSigned))
    say('  Firmado.')
    return null
  } catch (error) {
    if (error instanceof ServerRefusal && error.code !== 'not-signed-in') return error
    throw error
  }
}

const OTHER_DOCUMENT =
  'lo que el servidor pidió firmar no es el documento que anunció. Avise al administrador.'

/**
 * Checks, before the key is used, that the bytes to sign commit to the document that was shown and to this
 * certificate.
 */
async function mustBeWhatWasShown(
  { toBeSigned, digest, documentSha256 }: PreparedByServer,
  { sha256 }: WaitingDocument,
  { certificate }: OpenedKey,
): Promise<void> {
  try {
    if (documentSha256 !== sha256) throw new ServerRefusal('other-document', OTHER_DOCUMENT)
    await assertCommitsTo(toBeSigned, { digest, certificate })
  } catch (error) {
    if (!(error instanceof CommitmentError)) throw error
    throw new ServerRefusal('other-document', OTHER_DOCUMENT)
  }
}

/** Errors that may pass without intervention. */
const isPassing = ({ code }: ServerRefusal) =>
  code === null ||
  code === 'completion-lost' ||
  code === 'someone-signing' ||
  code === 'acknowledgement-needed' ||
  code === 'session-overdue' ||
  code === 'too-many-attempts' ||
  code === 'server-error' ||
  code === 'timestamp-unavailable'

const isUnacknowledged = ({ code }: ServerRefusal) => code === 'acknowledgement-needed'

/** The signature may be stored; the message says so. */
const isUnsure = ({ code }: ServerRefusal) => code === 'completion-lost'

const sentenceOf = ({ code, message }: ServerRefusal) =>
  code === 'not-signed-in'
    ? 'El token de acceso no es válido, venció o fue revocado. Cree otro en Mi Perfil.'
    : message

function refused(sentence: string): 1 {
  complain(sentence)
  return 1
}

function rest(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, REST_MS)
    if (stop.aborted) end()
    stop.addEventListener('abort', end, { once: true })
  })
}
