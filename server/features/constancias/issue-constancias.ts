import { randomBytes } from 'node:crypto'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { listDueConstancias, replaceConstancia } from '#server/db/trust/constancias.ts'
import { findServiceProvider, listServiceProviders } from '#server/db/trust/service-providers.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import { fromHex } from '#server/domain/bytes.ts'
import { Problem } from '#server/domain/problem.ts'
import { after, hours, type Instant, minutes, parseInstant } from '#server/domain/time.ts'
import {
  ATTEMPT_LEASE,
  afterFailedAttempt,
  type Constancia,
} from '#server/domain/timestamp/constancia.ts'
import type { AnswerReading } from '#server/domain/timestamp/constancia-answer.ts'
import { askedIn } from '#server/domain/timestamp/constancia-request.ts'
import type { ServiceProvider } from '#server/domain/timestamp/service-provider.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import type { ConstanciaReport } from '#server/domain/verification/report.ts'
import type { ProviderAnswer } from '#server/ports/constancia-providers.ts'
import { endProviderOutage, noteProviderFailure } from '#server/steps/alerts/provider-alarms.ts'
import type { System } from '#server/system.ts'
import { sentenceOfFailedAttempt } from '#server/words/constancias.ts'
import { sentenceOfConstancia } from '#server/words/verification/constancias.ts'
import { judgeKeptAnswer } from './judge-kept-answer.ts'

const MOST_AT_ONCE = 50
const JOB = 'constancias'
/** The others of a provider that does not answer wait so long: they would keep those of another one from their turn. */
const PUT_OFF = minutes(5)

/** A recorded attempt: after a crash, exactly this request is sent again. */
type Attempt = { constancia: Constancia; provider: ServiceProvider; request: Uint8Array }

/**
 * Requests the pending constancias, those of the offices in turns. Each attempt is recorded with its request bytes before it is sent: of two
 * processes one sends it, and after a crash the same bytes go out again, so that the provider recognizes what
 * was paid. An answer is stored before it is judged, and a file with a stored answer is never requested again.
 * A provider that does not answer is asked once in a run, also if several offices use it.
 *
 * @param stopping begins no further attempt
 */
export async function issueConstancias(system: System, stopping?: AbortSignal): Promise<void> {
  const due = await listDueConstancias(system.db, system.clock.now(), MOST_AT_ONCE)
  const silent = new Map<string, string>()
  for (const constancia of due) {
    if (stopping?.aborted) return
    await attemptOne(system, constancia, silent)
  }
}

/** @param silent why providers, by id, or addresses did not answer in this run; that of this attempt is added if it does not */
async function attemptOne(
  system: System,
  constancia: Constancia,
  silent: Map<string, string>,
): Promise<void> {
  if (constancia.answer) return await settle(system, constancia, constancia.answer, undefined)
  const provider = await findProviderFor(system, constancia)
  if (!provider) return await putOff(system, constancia, sentenceOfFailedAttempt('no-provider'))
  const silence = silent.get(provider.id) ?? silent.get(provider.url)
  if (silence) return await passOver(system, constancia, provider, silence)
  const attempt = await begin(system, constancia, provider)
  if (!attempt) return
  const answer = await ask(system, attempt)
  if (answer.kind === 'failed') {
    const reason = sentenceOfFailedAttempt(answer.isSlow ? 'slow' : 'no-answer')
    // What did not answer at all would cost every office that uses this address half a minute.
    silent.set(answer.isSilent ? provider.url : provider.id, reason)
    return await giveUpAttempt(system, attempt, { reason, isFinal: false })
  }
  const reading = await read(system, attempt, answer.body)
  if (reading.kind === 'useless') {
    const reason = sentenceOfFailedAttempt(reading.reason)
    await giveUpAttempt(system, attempt, { reason, isFinal: reading.isFinal })
  } else await keep(system, attempt, answer.body)
}

/** Stays with the first provider as long as it is configured: it may have been paid. */
async function findProviderFor(
  { db }: System,
  { officeId, providerId }: Constancia,
): Promise<ServiceProvider | undefined> {
  const providers = await listServiceProviders(db, officeId, 'constancia')
  return providers.find(({ id }) => id === providerId) ?? providers[0]
}

/** Records the provider to ask and the bytes of the request. Undefined if another process is asking. */
async function begin(
  { db, clock }: System,
  seen: Constancia,
  provider: ServiceProvider,
): Promise<Attempt | undefined> {
  const now = clock.now()
  const known = provider.id === seen.providerId ? seen.request : null
  const request =
    known ??
    timeStampRequest({
      digest: fromHex(seen.sha256),
      nonce: randomBytes(16),
      policy: provider.policy,
    })
  const constancia: Constancia = {
    ...seen,
    attempts: seen.attempts + 1,
    nextAttemptAt: after(now, ATTEMPT_LEASE),
    providerId: provider.id,
    request,
  }
  const isOurs = await db.transaction((trx) => replaceConstancia(trx, seen, constancia))
  return isOurs ? { constancia, provider, request } : undefined
}

async function ask(
  { constancias }: System,
  { provider, request }: Attempt,
): Promise<ProviderAnswer> {
  try {
    return await constancias.ask(provider, request)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { kind: 'failed', isSlow: false, isSilent: false, reason: error.message }
  }
}

/** One that takes too much to read is none: another attempt may bring a better one. */
async function read(
  { pdf }: System,
  { request }: Attempt,
  answer: Uint8Array,
): Promise<AnswerReading> {
  try {
    return await pdf.readConstancia(answer, askedIn(request))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { kind: 'useless', reason: 'no-constancia', isFinal: false }
  }
}

async function keep(system: System, attempt: Attempt, answer: Uint8Array): Promise<void> {
  const { constancia, provider } = attempt
  const kept = { ...constancia, answer }
  // A crash before this line repeats the same request; after it, nothing is requested again.
  const isOurs = await system.db.transaction((trx) => replaceConstancia(trx, constancia, kept))
  if (isOurs) await settle(system, kept, answer, provider)
}

/** Judges a stored answer: issued; undecided until an authority is imported or answers; or rejected. */
async function settle(
  system: System,
  kept: Constancia,
  answer: Uint8Array,
  provider: ServiceProvider | undefined,
): Promise<void> {
  const now = system.clock.now()
  const report = await judgeKeptAnswer(system, kept, answer, now).catch(noneIfRefused)
  if (!report) return await putOff(system, kept, sentenceOfFailedAttempt('not-judged'))
  if (report.kind === 'constancia' && report.verdict === 'VALID' && report.time) {
    await issue(system, kept, { ...report, time: report.time }, now)
    return
  }
  if (report.verdict === 'INDETERMINATE')
    return await putOff(system, kept, sentenceOfConstancia(report.headline))
  await giveUp(system, { ...kept, answer: null }, kept, provider, {
    reason: sentenceOfConstancia(report.headline),
    isFinal: false,
  })
}

/** An answer that took too much to judge stays kept: it may have been paid. */
function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

/** It is looked at again later: a kept answer is judged then. */
async function putOff({ db, clock }: System, seen: Constancia, lastError: string): Promise<void> {
  const waiting = { ...seen, nextAttemptAt: after(clock.now(), hours(1)), lastError }
  await db.transaction((trx) => replaceConstancia(trx, seen, waiting))
}

/** Its provider failed for another constancia of this run: it is not asked, and counts as failed. */
async function passOver(
  { db, clock }: System,
  seen: Constancia,
  provider: ServiceProvider,
  lastError: string,
): Promise<void> {
  const at = clock.now()
  const waiting = { ...seen, nextAttemptAt: after(at, PUT_OFF), lastError }
  await db.transaction(async (trx) => {
    if (await replaceConstancia(trx, seen, waiting)) await noteProviderFailure(trx, provider, at)
  })
}

async function issue(
  { db }: System,
  kept: Constancia,
  { time, policy, authority }: ConstanciaReport & { time: string },
  now: Instant,
): Promise<void> {
  const issued: Constancia = {
    ...kept,
    state: 'issued',
    nextAttemptAt: null,
    lastError: null,
    time: parseInstant(time),
    policy,
    authority,
    issuedAt: now,
  }
  await db.transaction(async (trx) => {
    const provider = issued.providerId && (await findServiceProvider(trx, issued.providerId))
    const cost = provider ? provider.cost : null
    if (!(await replaceConstancia(trx, kept, { ...issued, cost }))) return
    // A provider that answers correctly is not down.
    if (issued.providerId) await endProviderOutage(trx, issued.providerId, { at: now, by: null })
    await record(trx, issued, 'constancia.issued', now, {
      time,
      policy,
      authority,
      attempts: kept.attempts,
      cost,
    })
  })
}

type Failure = { reason: string; isFinal: boolean }

const giveUpAttempt = (system: System, { constancia, provider }: Attempt, vain: Failure) =>
  giveUp(system, constancia, constancia, provider, vain)

async function giveUp(
  { db, clock }: System,
  constancia: Constancia,
  seen: Constancia,
  provider: ServiceProvider | undefined,
  { reason, isFinal }: Failure,
): Promise<void> {
  const now = clock.now()
  const next: Constancia = {
    ...constancia,
    ...afterFailedAttempt(constancia, { reason, isFinal, now }),
    // A refused request produced nothing: the next one is new.
    ...(isFinal && { request: null, providerId: null }),
  }
  await db.transaction(async (trx) => {
    if (!(await replaceConstancia(trx, seen, next))) return
    if (provider) await noteProviderFailure(trx, provider, now)
    if (next.state === 'failed') await record(trx, next, 'constancia.failed', now, { reason })
  })
}

const record = (
  trx: Transaction,
  { id, officeId, documentId, version, sha256 }: Constancia,
  action: AuditEvent['action'],
  at: Instant,
  details: AuditEvent['details'],
) =>
  appendSystemEvent(trx, {
    by: JOB,
    at,
    officeId,
    action,
    subject: { kind: 'document', id: documentId },
    result: action === 'constancia.issued' ? 'success' : 'refused',
    details: { constancia: id, version, sha256, ...details },
  })
